/**
 * What a contract reverts with when its answer is on a server outside the chain (EIP-3668), and what a batch of such questions is (ENSIP-21), read with limits: a
 * stranger wrote it, and a few bytes of ABI can point at the same ones thousands of times.
 *
 * 1. A look-up has at most 64 kB; of its addresses the first four are read, each of at most 2,048 characters. What is longer, or points outside, is none.
 * 2. A batch has at most eight questions, which together are no longer than it: none points at the bytes of another.
 *
 * Sources: https://eips.ethereum.org/EIPS/eip-3668, https://docs.ens.domains/ensip/21
 */
import {
  type Address,
  bytesToHex,
  concat,
  encodeAbiParameters,
  encodeErrorResult,
  getAddress,
  type Hex,
  hexToBytes,
  parseAbi,
  parseAbiParameters,
  size,
} from 'viem'

/** Who is asked what. Without those that are too long. */
export type GatewayQuery = { readonly sender: Address; readonly urls: readonly string[]; readonly data: Hex }
export type Lookup = GatewayQuery & { readonly callback: Hex; readonly extraData: Hex }
/** What a question of a batch got. */
export type BatchAnswer =
  | { readonly ok: true; readonly data: Hex }
  /** With the status where a server gave one. */
  | { readonly ok: false; readonly status: number | null }

/** In the place of an address: whoever asks puts the batch's questions itself. */
export const batchUrl = 'x-batch-gateway:true'

const lookupSelector = '0x556f1830'
/** `query((address,string[],bytes)[])` */
const querySelector = '0xa780bab6'
const longestLookup = 65_536
const mostUrls = 4
const longestUrl = 2_048
const mostQueries = 8
const word = 32
const batchErrors = parseAbi(['error HttpError(uint16 status, string message)', 'error Error(string message)'])

/** Null where it is none, or one beyond the limits. */
export function readLookup(revert: Hex): Lookup | null {
  return read(revert, lookupSelector, (bytes) => ({
    sender: addressAt(bytes, 0),
    urls: urlsAt(bytes, numberAt(bytes, word)),
    data: bytesToHex(bytesAt(bytes, numberAt(bytes, 2 * word))),
    callback: bytesToHex(slice(bytes, 3 * word, 4)),
    extraData: bytesToHex(bytesAt(bytes, numberAt(bytes, 4 * word))),
  }))
}

/** The questions of a batch; null where it is none, or one beyond the limits. */
export function readBatch(data: Hex): readonly GatewayQuery[] | null {
  return read(data, querySelector, (bytes) => {
    const queries = placesAt(bytes, numberAt(bytes, 0))
    if (queries.length > mostQueries) throw new RangeError('too many')
    const asked = queries.map((at) => bytesAt(bytes, at + numberAt(bytes, at + 2 * word)))
    if (asked.reduce((sum, { length }) => sum + length, 0) > bytes.length) throw new RangeError('too long')
    return queries.map((at, index) => ({
      sender: addressAt(bytes, at),
      urls: urlsAt(bytes, at + numberAt(bytes, at + word)),
      data: bytesToHex(asked[index] ?? new Uint8Array()),
    }))
  })
}

export function writeBatch(answers: readonly BatchAnswer[]): Hex {
  return encodeAbiParameters(parseAbiParameters('bool[] failures, bytes[] responses'), [
    answers.map(({ ok }) => !ok),
    answers.map((answer) => {
      if (answer.ok) return answer.data
      return answer.status === null
        ? encodeErrorResult({ abi: batchErrors, errorName: 'Error', args: ['no answer'] })
        : encodeErrorResult({ abi: batchErrors, errorName: 'HttpError', args: [answer.status, ''] })
    }),
  ])
}

/** What the contract is asked next. */
export function callbackOf({ callback, extraData }: Lookup, answer: Hex): Hex {
  return concat([callback, encodeAbiParameters(parseAbiParameters('bytes, bytes'), [answer, extraData])])
}

function read<T>(data: Hex, selector: Hex, parse: (bytes: Uint8Array) => T): T | null {
  if (!data.startsWith(selector) || size(data) > longestLookup) return null
  try {
    return parse(hexToBytes(data).subarray(4))
  } catch {
    return null
  }
}

function slice(bytes: Uint8Array, at: number, length: number): Uint8Array {
  if (at + length > bytes.length) throw new RangeError('outside')
  return bytes.subarray(at, at + length)
}

/** A length or an offset: none is larger than all there is. */
function numberAt(bytes: Uint8Array, at: number): number {
  const value = BigInt(bytesToHex(slice(bytes, at, word)))
  if (value > BigInt(bytes.length)) throw new RangeError('outside')
  return Number(value)
}

function addressAt(bytes: Uint8Array, at: number): Address {
  return getAddress(bytesToHex(slice(bytes, at, word).subarray(12)))
}

function bytesAt(bytes: Uint8Array, at: number): Uint8Array {
  return slice(bytes, at + word, numberAt(bytes, at))
}

/** Where the members of a list are. */
function placesAt(bytes: Uint8Array, at: number, most = mostQueries + 1): number[] {
  const length = Math.min(numberAt(bytes, at), most)
  const start = at + word
  return Array.from({ length }, (_, index) => start + numberAt(bytes, start + index * word))
}

function urlsAt(bytes: Uint8Array, at: number): string[] {
  return placesAt(bytes, at, mostUrls)
    .map((place) => bytesAt(bytes, place))
    .filter(({ length }) => length <= longestUrl)
    .map((url) => Buffer.from(url).toString('utf8'))
}
