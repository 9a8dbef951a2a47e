package bench_test

import (
	"strings"
	"testing"
	"time"

	"personal-workspace/sns/snstest"
)

// ordinary are twenty posts as a home timeline has them: a third of them
// Japanese, with links, hashtags, mentions, alt texts, warnings, a poll, cards,
// a quote and boosts. Newest last.
func ordinary() []snstest.Status {
	picture := func(alt string) []snstest.Media {
		return []snstest.Media{{Alt: alt, Scene: "harbour", Width: 1600, Height: 1067}}
	}
	return []snstest.Status{
		{Author: "mira", Text: "Three days of rain and the cellar is, against all advice, dry. I would like to thank the gutter."},
		{Author: "haruka@yunagi.example", Language: "ja", Text: "雨が三日つづいて、図書館の窓際の席がずっと埋まっている。みんな本は読まずに雨を見ている。わたしもその一人です。 #雨の日"},
		{Author: "ingrid", Text: "Walked the whole sea wall this morning, from the lifeboat house to the mill.\n\nForty-one dogs, one heron, nobody I owed money to. https://walks.example/sea-wall/from-the-lifeboat-house-to-the-mill #walking", Media: picture("A long stone wall beside a grey sea, a heron standing on the last step.")},
		{Author: "tomo@yunagi.example", Language: "ja", Text: "昨日焼いたパン、断面がきれいだったので写真だけ撮って、食べるのを忘れていた。今朝トーストにしたら、昨日よりおいしい。", Media: picture("まな板の上の、切り口を見せた丸いパン。気泡が大きく、皮は濃い茶色。")},
		{Author: "konrad@nordlicht.example", Language: "de", Text: "Der Aufzug ist seit heute wieder in Betrieb. Im dritten Stock hängt noch das Schild „Nur noch bis Freitag“. Niemand weiß, welcher Freitag gemeint war."},
		{Author: "priya", Text: "We are looking for two people to review the new tide tables before the release. You need no programming, only a harbour and an opinion.", Card: &snstest.Card{URL: "https://tides.example/review", Title: "Help us to review the tide tables", Description: "How the review works, which harbours are missing, and what we do with what you find.", Provider: "Tides"}},
		{Author: "mira", Warning: "food, raw fish", Text: "The new place by the ferry does exactly four dishes and the fourth is the third one again, but colder."},
		{Author: "sora@yunagi.example", Language: "ja", Text: "新しい路線図、乗換駅の名前が長すぎて図からはみ出している。はみ出した先に小さく「ごめんなさい」と書いてあるのが好き。 https://densha.example/rosenzu/2026"},
		{Author: "library", Text: "Which evening suits the reading circle?", Poll: &snstest.Poll{Options: []snstest.Option{{Title: "Tuesday", Votes: 31}, {Title: "Thursday", Votes: 18}, {Title: "Sunday, with cake", Votes: 64}}, Voters: 113}},
		{Author: "joon", Text: "@library Sunday, with cake, and I will bring the second cake."},
		{Author: "haruka@yunagi.example", Language: "ja", Text: "製本の教室で、隣の席の人がずっと同じページの紙を折っていた。聞いたら「この折り目がいちばん気持ちいい」とのこと。よくわかります。 #製本"},
		{Author: "sam", Text: "Contact sheets from the night ferry. Number twelve is the one.", Media: []snstest.Media{{Alt: "A ferry deck at night, wet, one lamp, nobody there.", Scene: "harbour", Width: 1200, Height: 800}, {Alt: "The same deck from above; a coat on a bench.", Scene: "harbour", Width: 1200, Height: 800}}},
		{Author: "bea", Text: "A map is a promise about where you will be standing. Some keep it. Today I held one from before the harbour was moved, and for a moment I was up to my knees in water that left two centuries ago.\n\nThe paper has the tide line of a real tide. #maps #archives"},
		{Author: "tomo@yunagi.example", Language: "ja", Text: "商店街の時計屋さん、三十年ぶりに閉店時間を変えたらしい。三分だけ。"},
		{Author: "lucia@mareas.example", Language: "es", Text: "Hoy la marea ha dejado una botella con un mensaje: «devuélvase al mar». Hemos obedecido. #mareas"},
		{Author: "priya", Text: "This, for every project that ever shipped on a Friday:"},
		{Author: "ingrid", Text: "Pressure 1012, rising. Washing out."},
		{Author: "sora@yunagi.example", Language: "ja", Text: "終電のあとの駅で、清掃の方が鼻歌を歌っていた。知っている曲だったので、改札を出るまで少しゆっくり歩いた。"},
		{Author: "repaircafe", Text: "Saturday: lamps, zips, radios. Please bring the part you think is missing; we have never once needed it, but it helps us to know what you are worried about. #repair"},
		{Author: "mira", Text: "Found in a coat I last wore in spring: a ferry ticket, a plum stone and a list that only says “ask her”."},
	}
}

// disguise turns a text into one that has nothing in common with it but its
// lengths, so that six columns of the same posts do not compress like one. Words
// that begin with a sign of their own stay: links, hashtags, mentions.
func disguise(text string, by rune) string {
	words := strings.SplitAfter(text, " ")
	for i, w := range words {
		if !strings.HasPrefix(w, "http") && !strings.ContainsAny(w, "#@") {
			words[i] = strings.Map(func(c rune) rune { return shifted(c, by) }, w)
		}
	}
	return strings.Join(words, "")
}

func shifted(c, by rune) rune {
	for _, r := range []struct{ first, last rune }{{'a', 'z'}, {'A', 'Z'}, {'ぁ', 'ゖ'}, {'ァ', 'ヺ'}, {'一', '鿿'}} {
		if c >= r.first && c <= r.last {
			return r.first + (c-r.first+by)%(r.last-r.first+1)
		}
	}
	return c
}

// fill publishes ordinary posts on a server, a few minutes apart, and boosts of
// three of them after. Each has also tag, so that a hashtag has them all; no two
// variants have a text in common.
func fill(tb testing.TB, m *snstest.Mastodon, tag string, variant rune) {
	tb.Helper()
	posts := ordinary()
	at := m.Now().Add(-4 * time.Hour)
	var ids []string
	add := func(s snstest.Status) {
		at = at.Add(7 * time.Minute)
		s.At = at
		ids = append(ids, m.Add(s))
	}
	for i, s := range posts {
		s.Text, s.Warning = disguise(s.Text, variant), disguise(s.Warning, variant)
		if tag != "" {
			s.Text += " #" + tag
		}
		switch i {
		case 9:
			s.ReplyTo = ids[8]
		case 15:
			s.Quote = &snstest.Quote{ID: ids[12]}
		}
		add(s)
	}
	for i, by := range []string{"joon", "sam", "library"} {
		add(snstest.Status{Author: by, Boost: ids[[]int{2, 3, 12}[i]]})
	}
}
