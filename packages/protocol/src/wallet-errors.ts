import { type ErrorCode, errors, isErrorCode, linkError } from './errors'
import { Failure, fromLinkError } from './failure'
import type { LinkError } from './page-link-taken'

/**
 * Turns whatever a wallet throws into one of our errors.
 *
 * 1. It never throws and never calls into the thrown value beyond reading its properties; a property whose getter throws counts as absent.
 * 2. The number decides: 4001 is USER_REJECTED, 4902 CHAIN_NOT_ADDED, and so on. A -32603 or a missing number is looked through
 *    to the error it wraps (`data.originalError`, `error`, `cause`), because mobile and bridged wallets wrap.
 * 3. Without a telling number, the words decide: wallets say "rejected", "denied" or "cancelled by user" in many ways.
 * 4. The wallet's own message and number are kept (1,024 characters at most), so that a dapp reads what it would read without us.
 * 5. `data` survives only as JSON of at most 8,192 characters: revert data is needed, functions and cycles cannot cross a frame.
 * 6. One of our own errors passes through with its code.
 */
export function fromWalletError(thrown: unknown): LinkError {
  const own = read(thrown, 'code')
  const text = messageOf(thrown)
  const data = jsonOf(read(thrown, 'data'))
  const more = { ...(text !== undefined && { message: text }), ...(data !== undefined && { data }) }
  if (isErrorCode(own)) return linkError(own, more)

  const rpc = telling(thrown)
  const code: ErrorCode =
    (rpc === undefined ? undefined : codeByNumber.get(rpc)) ??
    (own === 'ACTION_REJECTED' || (text !== undefined && rejection.test(text)) ? 'USER_REJECTED' : undefined) ??
    (rpc === -32603 ? 'INTERNAL' : 'UNKNOWN')
  const number = code === 'USER_REJECTED' && (rpc === undefined || rpc === -32603) ? errors.USER_REJECTED.rpc : rpc
  return { ...linkError(code, more), ...(number !== undefined && { rpc: number }) }
}

/** Switching failed because the wallet lacks the chain: 4902, 5000 and 32603 (either sign) lead to trying to add it (spec §8). */
export function isMissingChain(error: Pick<LinkError, 'rpc'>): boolean {
  return error.rpc !== undefined && addChainNumbers.has(error.rpc)
}

const addChainNumbers: ReadonlySet<number> = new Set([4902, 5000, 32603, -32603])

/** 5000 is how WalletConnect wallets say that the visitor declined. */
const codeByNumber: ReadonlyMap<number, ErrorCode> = new Map([
  [4001, 'USER_REJECTED'],
  [5000, 'USER_REJECTED'],
  [4100, 'UNAUTHORIZED'],
  [4200, 'UNSUPPORTED_METHOD'],
  [4900, 'DISCONNECTED'],
  [4901, 'CHAIN_DISCONNECTED'],
  [4902, 'CHAIN_NOT_ADDED'],
  [-32002, 'REQUEST_PENDING'],
  [-32005, 'LIMIT_EXCEEDED'],
  [-32600, 'INVALID_REQUEST'],
  [-32601, 'METHOD_NOT_FOUND'],
  [-32602, 'INVALID_PARAMS'],
])

const rejection =
  /\b(user|by user|request)\b.{0,24}\b(reject|denied|declin|cancel)|\b(reject|denied|declin|cancel)\w*\b.{0,24}\buser\b/i
const maximumMessage = 1_024
const maximumData = 8_192
const maximumDepth = 4

/** The number that tells most: the outermost one that is not a mere -32603, else -32603 where one was seen. */
function telling(thrown: unknown, depth = 0): number | undefined {
  const code = read(thrown, 'code')
  const number = typeof code === 'number' && Number.isSafeInteger(code) ? code : undefined
  if (depth >= maximumDepth || (number !== undefined && number !== -32603)) return number
  for (const inner of [read(read(thrown, 'data'), 'originalError'), read(thrown, 'error'), read(thrown, 'cause')]) {
    const found = telling(inner, depth + 1)
    if (found !== undefined && found !== -32603) return found
  }
  return number
}

function messageOf(thrown: unknown): string | undefined {
  const text = typeof thrown === 'string' ? thrown : read(thrown, 'message')
  return typeof text === 'string' && text !== '' ? text.slice(0, maximumMessage) : undefined
}

function read(from: unknown, key: string): unknown {
  if (from === null || (typeof from !== 'object' && typeof from !== 'function')) return undefined
  try {
    return Reflect.get(from, key)
  } catch {
    return undefined
  }
}

function jsonOf(value: unknown): unknown {
  if (value === undefined) return undefined
  try {
    const json = JSON.stringify(value)
    return json === undefined || json.length > maximumData ? undefined : JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Anything thrown, by a wallet above all, as a failure of the catalogue. */
export function asFailure(thrown: unknown): Failure {
  return thrown instanceof Failure ? thrown : fromLinkError(fromWalletError(thrown))
}
