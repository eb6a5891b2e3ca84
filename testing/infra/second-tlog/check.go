// Holds our trees, tiles and notes against Go's own implementation, under its checksum database: reads claims as JSON
// and prints each with which Go disagrees.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type tree struct {
	Size int64
	Root tlog.Hash
}

type claims struct {
	VerifierKey string
	Notes       []struct {
		Note  string
		Holds bool
	}
	Witness    string
	Cosigned   []struct {
		Note  string
		Time  uint64
		Holds bool
	}
	Proofs []struct {
		File  string
		Holds bool
	}
	Leaves []struct {
		Content []byte
		Hash    tlog.Hash
	}
	Paths []struct {
		Level, Width int
		Number       int64
		Path         string
	}
	// By path.
	Tiles      map[string][]byte
	Inclusions []struct {
		Tree  tree
		Index int64
		Leaf  tlog.Hash
		Proof tlog.RecordProof
		Holds bool
	}
	Consistencies []struct {
		Older, Newer tree
		Proof        tlog.TreeProof
		Holds        bool
	}
}

// Reads a proof file (C2SP tlog-proof), and verifies it.
func checkProof(file string, verifier note.Verifier) error {
	head, signed, found := strings.Cut(file, "\n\n")
	lines := strings.Split(head, "\n")
	if !found || len(lines) < 3 || lines[0] != "c2sp.org/tlog-proof@v1" {
		return fmt.Errorf("not a proof file")
	}
	extra, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(lines[1], "extra "))
	if err != nil {
		return err
	}
	index, err := strconv.ParseInt(strings.TrimPrefix(lines[2], "index "), 10, 64)
	if err != nil {
		return err
	}
	var proof tlog.RecordProof
	for _, line := range lines[3:] {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return err
		}
		proof = append(proof, hash)
	}
	opened, err := note.Open([]byte(signed), note.VerifierList(verifier))
	if err != nil {
		return err
	}
	checkpoint := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(checkpoint[1], 10, 64)
	if err != nil {
		return err
	}
	root, err := tlog.ParseHash(checkpoint[2])
	if err != nil {
		return err
	}
	return tlog.CheckRecord(proof, size, root, index, tlog.RecordHash(extra))
}

// A witness's key (C2SP tlog-cosignature), of which sumdb/note knows only the interface.
type witness struct {
	name string
	hash uint32
	key  ed25519.PublicKey
	time uint64
}

func (w *witness) Name() string    { return w.name }
func (w *witness) KeyHash() uint32 { return w.hash }
func (w *witness) Verify(text, signature []byte) bool {
	if len(signature) != 8+ed25519.SignatureSize {
		return false
	}
	w.time = binary.BigEndian.Uint64(signature)
	message := fmt.Sprintf("cosignature/v1\ntime %d\n%s", w.time, text)
	return ed25519.Verify(w.key, []byte(message), signature[8:])
}

func newWitness(vkey string) (*witness, error) {
	parts := strings.SplitN(vkey, "+", 3)
	if len(parts) != 3 {
		return nil, fmt.Errorf("not a verifier key")
	}
	key, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(key) != 1+ed25519.PublicKeySize || key[0] != 4 {
		return nil, fmt.Errorf("not a witness's key")
	}
	sum := sha256.Sum256(append([]byte(parts[0]+"\n"), key...))
	hash := binary.BigEndian.Uint32(sum[:])
	if fmt.Sprintf("%08x", hash) != parts[1] {
		return nil, fmt.Errorf("the key has another id")
	}
	return &witness{name: parts[0], hash: hash, key: key[1:]}, nil
}

type served map[string][]byte

func (served) Height() int                      { return 8 }
func (served) SaveTiles([]tlog.Tile, [][]byte) {}
func (s served) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var read [][]byte
	for _, tile := range tiles {
		found, ok := s[pathOf(tile)]
		if !ok {
			return nil, fmt.Errorf("%s is not served", pathOf(tile))
		}
		read = append(read, found)
	}
	return read, nil
}

// Go's paths name the height of the tiles, those of C2SP do not.
func pathOf(tile tlog.Tile) string {
	return strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
}

func main() {
	var c claims
	if err := json.NewDecoder(os.Stdin).Decode(&c); err != nil {
		panic(err)
	}
	count := 0
	expect := func(agrees bool, format string, values ...any) {
		count++
		if !agrees {
			fmt.Printf(format+"\n", values...)
		}
	}
	verifier, err := note.NewVerifier(c.VerifierKey)
	expect(err == nil, "verifier key: %v", err)
	for at, each := range c.Notes {
		_, err := note.Open([]byte(each.Note), note.VerifierList(verifier))
		expect((err == nil) == each.Holds, "note %d: %v", at, err)
	}
	if c.Witness != "" {
		known, err := newWitness(c.Witness)
		expect(err == nil, "witness's key: %v", err)
		for at, each := range c.Cosigned {
			opened, err := note.Open([]byte(each.Note), note.VerifierList(verifier, known))
			holds := err == nil && len(opened.Sigs) == 2 && known.time == each.Time
			expect(holds == each.Holds, "cosigned note %d: %v", at, err)
		}
	}
	for at, each := range c.Proofs {
		err := checkProof(each.File, verifier)
		expect((err == nil) == each.Holds, "proof file %d: %v", at, err)
	}
	for at, each := range c.Leaves {
		expect(tlog.RecordHash(each.Content) == each.Hash, "leaf %d", at)
	}
	for _, each := range c.Paths {
		tile := tlog.Tile{H: 8, L: each.Level, N: each.Number, W: each.Width}
		expect(pathOf(tile) == each.Path, "path %s: %s", each.Path, pathOf(tile))
	}
	for _, each := range c.Inclusions {
		err := tlog.CheckRecord(each.Proof, each.Tree.Size, each.Tree.Root, each.Index, each.Leaf)
		expect((err == nil) == each.Holds, "leaf %d of %d: %v", each.Index, each.Tree.Size, err)
		if each.Holds {
			reader := tlog.TileHashReader(tlog.Tree{N: each.Tree.Size, Hash: each.Tree.Root}, served(c.Tiles))
			own, err := tlog.ProveRecord(each.Tree.Size, each.Index, reader)
			expect(err == nil && isSame(own, each.Proof), "own proof of leaf %d of %d: %v", each.Index, each.Tree.Size, err)
		}
	}
	for _, each := range c.Consistencies {
		err := tlog.CheckTree(each.Proof, each.Newer.Size, each.Newer.Root, each.Older.Size, each.Older.Root)
		expect((err == nil) == each.Holds, "tree %d after %d: %v", each.Newer.Size, each.Older.Size, err)
		if each.Holds {
			reader := tlog.TileHashReader(tlog.Tree{N: each.Newer.Size, Hash: each.Newer.Root}, served(c.Tiles))
			own, err := tlog.ProveTree(each.Newer.Size, each.Older.Size, reader)
			expect(err == nil && isSame(own, each.Proof), "own proof of %d after %d: %v", each.Newer.Size, each.Older.Size, err)
		}
	}
	fmt.Printf("%d claims checked\n", count)
}

func isSame(one, other []tlog.Hash) bool {
	if len(one) != len(other) {
		return false
	}
	for at := range one {
		if !bytes.Equal(one[at][:], other[at][:]) {
			return false
		}
	}
	return true
}
