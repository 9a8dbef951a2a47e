package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/richtext"
)

const methodCallTool = "tools/call"

// recoverPanics is the outermost middleware. A panic in a tool or in a
// middleware runs on a goroutine of the SDK, where nothing else recovers it, and
// would end the process.
func (b *backend) recoverPanics(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (res sdk.Result, err error) {
		ctx, t := withTrace(ctx, b.newID)
		defer func() {
			if p := recover(); p != nil {
				b.log.ErrorContext(ctx, "a panic was caught", "method", method,
					"correlationId", t.correlationID(), "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				res, err = nil, internalError(t)
			}
		}()
		return next(ctx, method, req)
	}
}

func internalError(t *trace) *jsonrpc.Error {
	return rpcError(jsonrpc.CodeInternalError, "Something went wrong in the workspace; its log has the reason.", t.correlationID())
}

// recordCalls makes one tool run of each tools/call, refused ones too.
func (b *backend) recordCalls(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		call, ok := req.(*sdk.CallToolRequest)
		if !ok {
			return next(ctx, method, req)
		}
		exchangeOf(ctx).recorded.Store(true)
		t := traceOf(ctx)
		var header http.Header
		if call.Extra != nil {
			header = call.Extra.Header
		}
		name, version := clientOf(call.Params.Meta, header)
		ctx, run := b.runs.BeginCall(ctx, ledger.ToolRun{
			ID: t.correlationID(), Caller: anonymous, ClientName: name, ClientVersion: version, Tool: recordedName(call.Params.Name),
		})
		outcome, code := ledger.OutcomeError, fault.Internal // unless the call comes back
		defer func() { run.End(outcome, string(code), t.connectionID) }()
		res, err := next(ctx, method, req)
		outcome, code = outcomeOf(t, err)
		return res, err
	}
}

// outcomeOf says how a call ended, from what the tool noted and from the
// protocol error, if any.
func outcomeOf(t *trace, err error) (ledger.Outcome, fault.Code) {
	var rpc *jsonrpc.Error
	switch {
	case errors.As(err, &rpc) && rpc.Code == jsonrpc.CodeInternalError:
		return ledger.OutcomeError, fault.Internal
	case err != nil:
		return ledger.OutcomeRefused, fault.NotFound
	case t.fault == nil:
		return ledger.OutcomeOK, ""
	case t.fault.Code == fault.Canceled:
		return ledger.OutcomeCanceled, t.fault.Code
	case !t.reached:
		return ledger.OutcomeRefused, t.fault.Code
	}
	return ledger.OutcomeError, t.fault.Code
}

// clientOf reads what the client says of itself: a hint for the record and for
// the person, never an identity. Requests of the older protocol say it in their
// User-Agent alone.
func clientOf(meta sdk.Meta, header http.Header) (name, version string) {
	info, _ := meta[sdk.MetaKeyClientInfo].(map[string]any)
	name, _ = info["name"].(string)
	version, _ = info["version"].(string)
	if name == "" {
		product, _, _ := strings.Cut(header.Get("User-Agent"), " ")
		name, version, _ = strings.Cut(product, "/")
	}
	return clientText(name), clientText(version)
}

// clientText is what may stand in a line that a person reads.
func clientText(s string) string { return richtext.Line(richtext.ForModel(s)) }

// mapErrors makes -32603 of every error that is no protocol error: the SDK
// would send it with the code 0, which does not exist, and with its text.
func (b *backend) mapErrors(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		res, err := next(ctx, method, req)
		var rpc *jsonrpc.Error
		if err == nil || errors.As(err, &rpc) {
			return res, err
		}
		t := traceOf(ctx)
		if ctx.Err() == nil {
			b.log.ErrorContext(ctx, "a method failed", "method", method, "correlationId", t.correlationID(), "err", err)
		}
		return nil, internalError(t)
	}
}

// onlyDeclared refuses the methods of what the server does not declare. The SDK
// would answer empty lists, as if there were such a thing.
func onlyDeclared(o *sdk.ServerOptions) sdk.Middleware {
	var closed []string
	if o.Capabilities.Prompts == nil {
		closed = append(closed, "prompts/")
	}
	if o.Capabilities.Resources == nil {
		closed = append(closed, "resources/")
	}
	if o.CompletionHandler == nil {
		closed = append(closed, "completion/")
	}
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			for _, prefix := range closed {
				if strings.HasPrefix(method, prefix) {
					return nil, rpcError(jsonrpc.CodeMethodNotFound, "This server has tools alone; "+method+" is not supported.", "")
				}
			}
			return next(ctx, method, req)
		}
	}
}

// unknownTools says in our words that a called tool is not in the catalogue.
func unknownTools(names map[string]bool) sdk.Middleware {
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			res, err := next(ctx, method, req)
			var rpc *jsonrpc.Error
			if call, ok := req.(*sdk.CallToolRequest); ok && !names[call.Params.Name] && errors.As(err, &rpc) && rpc.Code == jsonrpc.CodeInvalidParams {
				err = rpcError(rpc.Code, "There is no tool "+readable(call.Params.Name)+"; call tools/list for the names.", "")
			}
			return res, err
		}
	}
}
