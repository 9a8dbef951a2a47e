package twitter_test

import (
	"encoding/json"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"personal-workspace/sns/twitter"
)

func TestIndexReadsJSON(t *testing.T) {
	for _, in := range []string{
		`{}`, `[]`, `null`, `true`, `"x"`, `12`, ` [ ] `, `{"a":{}}`, `[[],{},[{}]]`, `{"a":[1,2,{"b":null}],"c":"d"}`,
		`{"a" : 1 , "b" : [ true , false ] }`, `{"\u0061":"\u00e9\ud83d\ude00\n\"\\\/"}`, `["a,b","{","]","\\","\\\""]`, `{"":""}`,
		`[110503322889311999,99999999999999999999,-1.5e300,0]`, `"` + strings.Repeat(`\\`, 1000) + `"`, strings.Repeat("[", 500) + strings.Repeat("]", 500),
	} {
		t.Run(in[:min(len(in), 40)], func(t *testing.T) {
			got, err := twitter.Decode([]byte(in))
			if err != nil {
				t.Fatal(err)
			}
			if want := standard(t, in); !reflect.DeepEqual(want, got) { // cmp takes for ever on what is deep
				t.Errorf("got %.200v, want %.200v", got, want)
			}
		})
	}
}

func standard(t testing.TB, in string) (want any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(in))
	d.UseNumber()
	if err := d.Decode(&want); err != nil {
		t.Fatal(err)
	}
	return want
}

func TestIndexRefusesWhatIsNotWhole(t *testing.T) {
	for _, in := range []string{
		``, ` `, `{`, `[`, `}`, `{"a"}`, `{"a":}`, `{"a":1`, `[1,]`, `[,1]`, `{"a":1]`, `[1}`, `"x`, `"x\"`, `{} {}`, `[1] 2`, `{a:1}`, `{"a":1,}`, `[1 2]`,
		"[" + strings.Repeat("1,", 700_000) + "1]",
	} {
		if got, err := twitter.Decode([]byte(in)); err == nil {
			t.Errorf("%.30q gives %v, want an error", in, got)
		}
	}
}

func TestIndexReadsOddTexts(t *testing.T) {
	for in, want := range map[string]string{
		"\"a\x00\x1fb\"": "a\x00\x1fb", "\"\xff\xfe\"": "\uFFFD", `"\ud800"`: "\uFFFD", `"\ud800\u0041"`: "\uFFFDA", `"\udc00x"`: "\uFFFDx",
		`"\q"`: "\uFFFD", `"\u12"`: "\uFFFD12", `"\uzzzz"`: "\uFFFDzzzz", "\"a\nb\"": "a\nb",
	} {
		if got, err := twitter.Decode([]byte(in)); err != nil || got != want {
			t.Errorf("%q gives %q, %v; want %q", in, got, err, want)
		}
	}
}

// What a relay nests without end must cost no more than what it lists.
func TestDepthTakesNoStack(t *testing.T) {
	body := []byte(strings.Repeat("[", 500_000) + strings.Repeat("]", 500_000))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)

	_, ok := twitter.ParsePage("HomeLatestTimeline", body, epoch)

	runtime.ReadMemStats(&after)
	if ok {
		t.Error("a list of lists is a page")
	}
	if grown := int64(after.StackInuse) - int64(before.StackInuse); grown > 16<<20 {
		t.Errorf("the stacks grew by %d bytes, want none of it for depth", grown)
	}
}
