// SPDX-License-Identifier: Apache-2.0
// Expands gzip (RFC 1951, 1952) where the browser has no DecompressionStream.

/** Reads bits, the lowest of each byte first. */
class BitReader {
	/** @param {Uint8Array} bytes @param {number} at */
	constructor(bytes, at) {
		this.bytes = bytes;
		this.at = at;
		this.bits = 0;
		this.count = 0;
	}

	/** @param {number} count at most 16 */
	read(count) {
		while (this.count < count) {
			if (this.at >= this.bytes.length)
				throw new Error('the data of this page end too early');
			this.bits |= this.bytes[this.at++] << this.count;
			this.count += 8;
		}
		const value = this.bits & ((1 << count) - 1);
		this.bits >>>= count;
		this.count -= count;
		return value;
	}

	/** Drops the rest of the byte. */
	align() {
		this.at -= this.count >> 3;
		this.bits = this.count = 0;
	}
}

/**
 * A canonical Huffman code: how many codes have each length, and the symbols in their order.
 * @param {ArrayLike<number>} lengths by symbol
 */
function huffmanOf(lengths) {
	const counts = new Uint16Array(16);
	const offsets = new Uint16Array(16);
	const symbols = new Uint16Array(lengths.length);
	for (let i = 0; i < lengths.length; i++)
		counts[lengths[i]]++;
	counts[0] = 0;
	for (let i = 1; i < 16; i++)
		offsets[i] = offsets[i - 1] + counts[i - 1];
	for (let i = 0; i < lengths.length; i++)
		if (lengths[i])
			symbols[offsets[lengths[i]]++] = i;
	return { counts, symbols };
}

/** @param {BitReader} reader @param {ReturnType<typeof huffmanOf>} code */
function readSymbol(reader, code) {
	let value = 0, first = 0, index = 0;
	for (let length = 1; length < 16; length++) {
		value |= reader.read(1);
		const count = code.counts[length];
		if (value - first < count)
			return code.symbols[index + value - first];
		index += count;
		first = (first + count) << 1;
		value <<= 1;
	}
	throw new Error('the data of this page are damaged');
}

const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** @param {BitReader} reader */
function readCodes(reader) {
	const literals = reader.read(5) + 257, distances = reader.read(5) + 1;
	const count = reader.read(4) + 4;
	const own = new Uint8Array(19);
	for (let i = 0; i < count; i++)
		own[LENGTH_ORDER[i]] = reader.read(3);
	const code = huffmanOf(own);
	const lengths = new Uint8Array(literals + distances);
	for (let i = 0; i < lengths.length;) {
		const symbol = readSymbol(reader, code);
		if (symbol < 16) {
			lengths[i++] = symbol;
			continue;
		}
		const value = symbol === 16 ? lengths[i - 1] : 0;
		const times = symbol === 16 ? 3 + reader.read(2)
			: symbol === 17 ? 3 + reader.read(3) : 11 + reader.read(7);
		lengths.fill(value, i, i + times);
		i += times;
	}
	return [huffmanOf(lengths.subarray(0, literals)), huffmanOf(lengths.subarray(literals))];
}

function fixedCodes() {
	const lengths = new Uint8Array(288).fill(8);
	lengths.fill(9, 144, 256).fill(7, 256, 280);
	return [huffmanOf(lengths), huffmanOf(new Uint8Array(30).fill(5))];
}

/** A buffer that grows. */
class ByteSink {
	/** @param {number} size the expected one */
	constructor(size) {
		this.bytes = new Uint8Array(size);
		this.length = 0;
	}

	/** @param {number} more */
	reserve(more) {
		if (this.length + more <= this.bytes.length)
			return;
		const bytes = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more));
		bytes.set(this.bytes.subarray(0, this.length));
		this.bytes = bytes;
	}

	/** @param {number} distance @param {number} length */
	repeat(distance, length) {
		this.reserve(length);
		if (distance > this.length)
			throw new Error('the data of this page are damaged');
		for (let i = 0; i < length; i++, this.length++)
			this.bytes[this.length] = this.bytes[this.length - distance];
	}
}

/** Lengths, then distances: the extra bits of symbol s are known from its number. */
function lengthOf(reader, symbol) {
	if (symbol < 265 || symbol === 285)
		return symbol === 285 ? 258 : symbol - 254;
	const extra = (symbol - 261) >> 2;
	return ((4 + ((symbol - 261) & 3)) << extra) + 3 + reader.read(extra);
}

function distanceOf(reader, symbol) {
	if (symbol < 4)
		return symbol + 1;
	const extra = (symbol - 2) >> 1;
	return ((2 + (symbol & 1)) << extra) + 1 + reader.read(extra);
}

/** @param {BitReader} reader @param {ByteSink} sink @param {any[]} codes of literals, of distances */
function inflateBlock(reader, sink, [literals, distances]) {
	for (;;) {
		const symbol = readSymbol(reader, literals);
		if (symbol === 256)
			return;
		if (symbol < 256) {
			sink.reserve(1);
			sink.bytes[sink.length++] = symbol;
			continue;
		}
		const length = lengthOf(reader, symbol);
		sink.repeat(distanceOf(reader, readSymbol(reader, distances)), length);
	}
}

/** @param {BitReader} reader @param {ByteSink} sink */
function storedBlock(reader, sink) {
	reader.align();
	const length = reader.read(16);
	reader.read(16);
	reader.align();
	sink.reserve(length);
	sink.bytes.set(reader.bytes.subarray(reader.at, reader.at + length), sink.length);
	sink.length += length;
	reader.at += length;
}

/**
 * @param {Uint8Array} bytes gzip without a name or other optional fields
 * @returns {Uint8Array}
 */
export function gunzip(bytes) {
	const reader = new BitReader(bytes, 10);
	const sink = new ByteSink(bytes.length * 4);
	for (let last = 0; !last;) {
		last = reader.read(1);
		const kind = reader.read(2);
		if (kind === 0)
			storedBlock(reader, sink);
		else if (kind < 3)
			inflateBlock(reader, sink, kind === 1 ? fixedCodes() : readCodes(reader));
		else
			throw new Error('the data of this page are damaged');
	}
	return sink.bytes.subarray(0, sink.length);
}
