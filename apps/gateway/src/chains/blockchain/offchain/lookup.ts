/**
 * Decodes the revert of an off-chain lookup (EIP-3668) and batches of queries (ENSIP-21). The data is untrusted: a few
 * bytes of ABI can point at the same bytes thousands of times.
 *
 * 1. A lookup has at most 64 kB. Four URLs are read, of at most 2,048 characters.
 * 2. A batch has at most eight queries, together no longer than the batch: no two may share bytes.
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

/** Too long URLs are left out. */
export type GatewayQuery = { readonly sender: Address; readonly urls: readonly string[]; readonly data: Hex }
export type Lookup = GatewayQuery & { readonly callback: Hex; readonly extraData: Hex }
export type BatchAnswer =
  | { readonly ok: true; readonly data: Hex }
  /** Null without a response. */
  | { readonly ok: false; readonly status: number | null }

/** In place of a URL: the client sends the batch's queries. */
export const batchUrl = 'x-batch-gateway:true'

const lookupSelector = '0x556f1830'
/** `query((address,string[],bytes)[])` */
const querySelector = '0xa780bab6'
const maxLookupBytes = 65_536
const maxUrls = 4
const maxUrlBytes = 2_048
const maxQueries = 8
const word = 32
const batchErrors = parseAbi(['error HttpError(uint16 status, string message)', 'error Error(string message)'])

/** Null for another revert, or beyond the limits. */
export function readLookup(revert: Hex): Lookup | null {
  return read(revert, lookupSelector, (bytes) => ({
    sender: addressAt(bytes, 0),
    urls: urlsAt(bytes, numberAt(bytes, word)),
    data: bytesToHex(bytesAt(bytes, numberAt(bytes, 2 * word))),
    callback: bytesToHex(slice(bytes, 3 * word, 4)),
    extraData: bytesToHex(bytesAt(bytes, numberAt(bytes, 4 * word))),
  }))
}

/** Null for other data, or beyond the limits. */
export function readBatch(data: Hex): readonly GatewayQuery[] | null {
  return read(data, querySelector, (bytes) => {
    const queries = placesAt(bytes, numberAt(bytes, 0))
    if (queries.length > maxQueries) throw new RangeError('too many')
    const calldatas = queries.map((at) => bytesAt(bytes, at + numberAt(bytes, at + 2 * word)))
    if (calldatas.reduce((sum, { length }) => sum + length, 0) > bytes.length) throw new RangeError('too long')
    return queries.map((at, index) => ({
      sender: addressAt(bytes, at),
      urls: urlsAt(bytes, at + numberAt(bytes, at + word)),
      data: bytesToHex(calldatas[index] ?? new Uint8Array()),
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

export function callbackOf({ callback, extraData }: Lookup, answer: Hex): Hex {
  return concat([callback, encodeAbiParameters(parseAbiParameters('bytes, bytes'), [answer, extraData])])
}

function read<T>(data: Hex, selector: Hex, parse: (bytes: Uint8Array) => T): T | null {
  if (!data.startsWith(selector) || size(data) > maxLookupBytes) return null
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

function placesAt(bytes: Uint8Array, at: number, max = maxQueries + 1): number[] {
  const length = Math.min(numberAt(bytes, at), max)
  const start = at + word
  return Array.from({ length }, (_, index) => start + numberAt(bytes, start + index * word))
}

function urlsAt(bytes: Uint8Array, at: number): string[] {
  return placesAt(bytes, at, maxUrls)
    .map((place) => bytesAt(bytes, place))
    .filter(({ length }) => length <= maxUrlBytes)
    .map((url) => Buffer.from(url).toString('utf8'))
}
