package mcp_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The conformance suite calls tools, prompts and resources by fixed names. This
// fixture has them, and nothing of the product but what the suite is to judge:
// it stands behind the product's own wrappers and middlewares.

// pixel is a picture of one red pixel; silence a sound of no samples.
var (
	pixel   = decoded("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC")
	silence = decoded("UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=")
)

func decoded(text string) []byte {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return b
}

func fixtureOptions() *sdk.ServerOptions {
	return &sdk.ServerOptions{
		Capabilities: &sdk.ServerCapabilities{
			Tools: &sdk.ToolCapabilities{ListChanged: true}, Prompts: &sdk.PromptCapabilities{ListChanged: true},
			Resources: &sdk.ResourceCapabilities{ListChanged: true, Subscribe: true}, Logging: &sdk.LoggingCapabilities{},
			Completions: &sdk.CompletionCapabilities{},
		},
		CompletionHandler: func(context.Context, *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
			return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{"paris", "park"}, Total: 2}}, nil
		},
		SubscribeHandler:   func(context.Context, *sdk.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *sdk.UnsubscribeRequest) error { return nil },
	}
}

func addFixtures(s *sdk.Server) {
	addContentTools(s)
	addMessageTools(s)
	addInputTools(s)
	addPrompts(s)
	addResources(s)
}

func content(c ...sdk.Content) *sdk.CallToolResult { return &sdk.CallToolResult{Content: c} }

func text(format string, args ...any) *sdk.TextContent {
	return &sdk.TextContent{Text: fmt.Sprintf(format, args...)}
}

func embedded(uri, mime, body string) *sdk.EmbeddedResource {
	return &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: uri, MIMEType: mime, Text: body}}
}

// fixed makes a tool that always answers the same.
func fixed(s *sdk.Server, name string, res *sdk.CallToolResult) {
	addTool(s, name, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		c := *res
		return &c, nil
	})
}

func addContentTools(s *sdk.Server) {
	image := &sdk.ImageContent{Data: pixel, MIMEType: "image/png"}
	fixed(s, "test_simple_text", content(text("This is a simple text response for testing.")))
	fixed(s, "test_image_content", content(image))
	fixed(s, "test_audio_content", content(&sdk.AudioContent{Data: silence, MIMEType: "audio/wav"}))
	fixed(s, "test_embedded_resource", content(embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")))
	fixed(s, "test_multiple_content_types", content(text("Multiple content types test:"), image,
		embedded("test://mixed-content-resource", "application/json", `{"test":"data","value":123}`)))
	failed := content(text("This tool intentionally returns an error for testing"))
	failed.IsError = true
	fixed(s, "test_error_handling", failed)
	s.AddTool(&sdk.Tool{Name: "json_schema_2020_12_tool", Description: "Tool with JSON Schema 2020-12 features", InputSchema: json.RawMessage(`{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
		"$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
		"properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
			"contactMethod": {"type": "string", "enum": ["phone", "email"]}, "phone": {"type": "string"}, "email": {"type": "string"}},
		"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
		"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
		"then": {"required": ["phone"]}, "else": {"required": ["email"]}, "additionalProperties": false}`)}, answerOK)
	s.AddTool(&sdk.Tool{Name: "test_x_mcp_header", Description: "Mirrors a member in a header.", InputSchema: json.RawMessage(
		`{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"query":{"type":"string"}},"required":["region"]}`)}, answerOK)
}

func answerOK(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	return content(text("ok")), nil
}

// pause keeps a tool busy between two messages, as a real one would be.
func pause(ctx context.Context) {
	t := time.NewTimer(50 * time.Millisecond)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

func addMessageTools(s *sdk.Server) {
	logging := func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		for _, line := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
			if err := req.Session.Log(ctx, &sdk.LoggingMessageParams{Level: "info", Data: line}); err != nil {
				return nil, err
			}
			pause(ctx)
		}
		return content(text("Tool with logging executed successfully")), nil
	}
	addTool(s, "test_tool_with_logging", logging)
	addTool(s, "test_logging_tool", logging)
	addTool(s, "test_tool_with_progress", func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		for _, done := range []float64{0, 50, 100} {
			if token := req.Params.GetProgressToken(); token != nil {
				err := req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: done, Total: 100})
				if err != nil {
					return nil, err
				}
			}
			pause(ctx)
		}
		return content(text("Done")), nil
	})
	addTool(s, "test_trigger_tool_change", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		fixed(s, "test_added_tool", content(text("added")))
		return content(text("changed")), nil
	})
	addTool(s, "test_trigger_prompt_change", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		fixedPrompt(s, "test_added_prompt", text("added"))
		return content(text("changed")), nil
	})
	addTool(s, "test_missing_capability", func(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if c := req.ClientCapabilities(); c != nil && c.Sampling != nil {
			return content(text("ok")), nil
		}
		return nil, &jsonrpc.Error{
			Code: sdk.CodeMissingRequiredClientCapabilities, Message: "this tool needs sampling",
			Data: json.RawMessage(`{"requiredCapabilities":{"sampling":{}}}`),
		}
	})
}

// form is a question with one required answer.
func form(message, name, kind string) *sdk.ElicitParams {
	return &sdk.ElicitParams{Mode: "form", Message: message, RequestedSchema: json.RawMessage(
		fmt.Sprintf(`{"type":"object","properties":{%q:{"type":%q}},"required":[%q]}`, name, kind, name))}
}

func sample(question string, tokens int64) *sdk.CreateMessageParams {
	return &sdk.CreateMessageParams{MaxTokens: tokens, Messages: []*sdk.SamplingMessage{{Role: "user", Content: text("%s", question)}}}
}

// asking makes a tool that asks until done has its answer. state "" sends none.
func asking(s *sdk.Server, name string, ask sdk.InputRequestMap, state string, done func(sdk.InputResponseMap) string) {
	addTool(s, name, func(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if req.Params.RequestState != "" && req.Params.RequestState != signed(state) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the request state was changed"}
		}
		if answer := done(req.Params.InputResponses); answer != "" && (state == "" || req.Params.RequestState != "") {
			return content(text("%s", answer)), nil
		}
		res := &sdk.CallToolResult{InputRequests: ask}
		if state != "" {
			res.RequestState = signed(state)
		}
		return res, nil
	})
}

func signed(state string) string {
	mac := hmac.New(sha256.New, []byte("fixture"))
	mac.Write([]byte(state))
	return state + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// accepted returns what the person answered under a key, "" when they did not.
func accepted(r sdk.InputResponseMap, key, name string) string {
	e, ok := r[key].(*sdk.ElicitResult)
	if !ok || e.Action != "accept" || e.Content[name] == nil {
		return ""
	}
	return fmt.Sprint(e.Content[name])
}

func addInputTools(s *sdk.Server) {
	user := form("What is your name?", "name", "string")
	greet := func(r sdk.InputResponseMap) string {
		if name := accepted(r, "user_name", "name"); name != "" {
			return "Hello, " + name + "!"
		}
		return ""
	}
	asking(s, "test_input_required_result_elicitation", sdk.InputRequestMap{"user_name": user}, "", greet)
	asking(s, "test_streaming_elicitation", sdk.InputRequestMap{"user_name": user}, "", greet)
	asking(s, "test_input_required_result_sampling", sdk.InputRequestMap{"capital_question": sample("What is the capital of France?", 100)}, "", sampled("capital_question"))
	asking(s, "test_input_required_result_list_roots", sdk.InputRequestMap{"client_roots": &sdk.ListRootsParams{}}, "", rooted("client_roots"))
	confirmed := func(r sdk.InputResponseMap) string {
		if accepted(r, "confirm", "ok") == "true" {
			return "state-ok"
		}
		return ""
	}
	confirm := sdk.InputRequestMap{"confirm": form("Please confirm", "ok", "boolean")}
	asking(s, "test_input_required_result_request_state", confirm, "confirm", confirmed)
	asking(s, "test_input_required_result_tampered_state", confirm, "confirm", confirmed)
	asking(s, "test_input_required_result_multiple_inputs", sdk.InputRequestMap{
		"user_name": user, "greeting": sample("Generate a greeting", 50), "client_roots": &sdk.ListRootsParams{},
	}, "several", func(r sdk.InputResponseMap) string {
		if greet(r) == "" || sampled("greeting")(r) == "" || rooted("client_roots")(r) == "" {
			return ""
		}
		return greet(r)
	})
	addTool(s, "test_input_required_result_multi_round", multiRound)
	addTool(s, "test_input_required_result_capabilities", askWhatIsDeclared)
}

func sampled(key string) func(sdk.InputResponseMap) string {
	return func(r sdk.InputResponseMap) string {
		switch m := r[key].(type) {
		case *sdk.CreateMessageResult:
			if t, ok := m.Content.(*sdk.TextContent); ok {
				return t.Text
			}
		case *sdk.CreateMessageWithToolsResult:
			for _, c := range m.Content {
				if t, ok := c.(*sdk.TextContent); ok {
					return t.Text
				}
			}
		}
		return ""
	}
}

func rooted(key string) func(sdk.InputResponseMap) string {
	return func(r sdk.InputResponseMap) string {
		list, ok := r[key].(*sdk.ListRootsResult)
		if !ok {
			return ""
		}
		names := []string{"Roots:"}
		for _, root := range list.Roots {
			names = append(names, root.URI)
		}
		return strings.Join(names, " ")
	}
}

func multiRound(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	r := req.Params.InputResponses
	switch {
	case req.Params.RequestState == signed("2") && accepted(r, "step2", "color") != "":
		return content(text("Your color is %s.", accepted(r, "step2", "color"))), nil
	case req.Params.RequestState == signed("1") && accepted(r, "step1", "name") != "":
		return &sdk.CallToolResult{RequestState: signed("2"), InputRequests: sdk.InputRequestMap{"step2": form("Step 2: What is your favorite color?", "color", "string")}}, nil
	case req.Params.RequestState == "":
		return &sdk.CallToolResult{RequestState: signed("1"), InputRequests: sdk.InputRequestMap{"step1": form("Step 1: What is your name?", "name", "string")}}, nil
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the request state was changed"}
}

func askWhatIsDeclared(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	ask := sdk.InputRequestMap{}
	c := req.ClientCapabilities()
	if c != nil && c.Elicitation != nil {
		ask["user_name"] = form("What is your name?", "name", "string")
	}
	if c != nil && c.Sampling != nil {
		ask["greeting"] = sample("Generate a greeting", 50)
	}
	if len(ask) == 0 || len(req.Params.InputResponses) > 0 {
		return content(text("Nothing to ask.")), nil
	}
	return &sdk.CallToolResult{InputRequests: ask}, nil
}

func userSays(c ...sdk.Content) *sdk.GetPromptResult {
	res := &sdk.GetPromptResult{}
	for _, one := range c {
		res.Messages = append(res.Messages, &sdk.PromptMessage{Role: "user", Content: one})
	}
	return res
}

func fixedPrompt(s *sdk.Server, name string, c ...sdk.Content) {
	s.AddPrompt(&sdk.Prompt{Name: name, Description: "Of a test."}, func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return userSays(c...), nil
	})
}

func addPrompts(s *sdk.Server) {
	fixedPrompt(s, "test_simple_prompt", text("This is a simple prompt for testing."))
	fixedPrompt(s, "test_prompt_with_image", &sdk.ImageContent{Data: pixel, MIMEType: "image/png"}, text("Please analyze the image above."))
	s.AddPrompt(&sdk.Prompt{Name: "test_prompt_with_arguments", Description: "Of a test.", Arguments: []*sdk.PromptArgument{
		{Name: "arg1", Description: "First test argument", Required: true}, {Name: "arg2", Description: "Second test argument", Required: true},
	}}, func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return userSays(text("Prompt with arguments: arg1='%s', arg2='%s'", req.Params.Arguments["arg1"], req.Params.Arguments["arg2"])), nil
	})
	s.AddPrompt(&sdk.Prompt{Name: "test_prompt_with_embedded_resource", Description: "Of a test.", Arguments: []*sdk.PromptArgument{
		{Name: "resourceUri", Description: "URI of the resource to embed", Required: true},
	}}, func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return userSays(embedded(req.Params.Arguments["resourceUri"], "text/plain", "Embedded resource content for testing."),
			text("Please process the embedded resource above.")), nil
	})
	s.AddPrompt(&sdk.Prompt{Name: "test_input_required_result_prompt", Description: "Of a test."},
		func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			if about := accepted(req.Params.InputResponses, "user_context", "context"); about != "" {
				return userSays(text("Use this: %s", about)), nil
			}
			return &sdk.GetPromptResult{InputRequests: sdk.InputRequestMap{"user_context": form("What context should the prompt use?", "context", "string")}}, nil
		})
}

func addResources(s *sdk.Server) {
	serve := func(c sdk.ResourceContents) sdk.ResourceHandler {
		return func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			one := c
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{&one}}, nil
		}
	}
	s.AddResource(&sdk.Resource{URI: "test://static-text", Name: "static-text", Description: "Text.", MIMEType: "text/plain"},
		serve(sdk.ResourceContents{URI: "test://static-text", MIMEType: "text/plain", Text: "This is the content of the static text resource."}))
	s.AddResource(&sdk.Resource{URI: "test://static-binary", Name: "static-binary", Description: "A picture.", MIMEType: "image/png"},
		serve(sdk.ResourceContents{URI: "test://static-binary", MIMEType: "image/png", Blob: pixel}))
	s.AddResource(&sdk.Resource{URI: "test://watched-resource", Name: "watched-resource", Description: "Watched.", MIMEType: "text/plain"},
		serve(sdk.ResourceContents{URI: "test://watched-resource", MIMEType: "text/plain", Text: "watched"}))
	s.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: "test://template/{id}/data", Name: "template", Description: "By id.", MIMEType: "application/json"},
		func(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			id, ok := strings.CutSuffix(strings.TrimPrefix(req.Params.URI, "test://template/"), "/data")
			if !ok {
				return nil, errors.New("the template does not match")
			}
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{
				URI: req.Params.URI, MIMEType: "application/json", Text: fmt.Sprintf(`{"id":%q,"templateTest":true,"data":"Data for ID: %s"}`, id, id),
			}}}, nil
		})
}
