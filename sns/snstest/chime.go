package snstest

import (
	"encoding/binary"
	"math"
	"net/http"
	"strconv"
)

// chime answers a two-second bell as an 8-bit mono WAV file, the recording of
// every audio attachment.
func chime(w http.ResponseWriter, _ *http.Request) {
	const rate, seconds = 8000, 2
	samples := make([]byte, rate*seconds)
	for i := range samples {
		t := float64(i) / rate
		v := math.Exp(-3*t) * (math.Sin(2*math.Pi*660*t) + 0.5*math.Sin(2*math.Pi*1320*t))
		samples[i] = byte(128 + 80*v/1.5)
	}
	file := []byte("RIFF")
	file = binary.LittleEndian.AppendUint32(file, uint32(36+len(samples)))
	file = append(file, "WAVEfmt "...)
	file = binary.LittleEndian.AppendUint32(file, 16)
	for _, v := range []uint16{1, 1} { // PCM, one channel
		file = binary.LittleEndian.AppendUint16(file, v)
	}
	file = binary.LittleEndian.AppendUint32(file, rate)
	file = binary.LittleEndian.AppendUint32(file, rate)
	for _, v := range []uint16{1, 8} { // bytes a sample, bits a sample
		file = binary.LittleEndian.AppendUint16(file, v)
	}
	file = append(file, "data"...)
	file = binary.LittleEndian.AppendUint32(file, uint32(len(samples)))
	file = append(file, samples...)
	w.Header().Set("Content-Type", "audio/wav")
	w.Header().Set("Content-Length", strconv.Itoa(len(file)))
	_, _ = w.Write(file)
}
