import { type ErrorCode, errors, isErrorCode, linkError } from './errors'
import { Failure, fromLinkError } from './failure'
import type { LinkError } from './page-link/envelope'

/**
 * Turns any value that a wallet throws into a Postern error.
 *
 * 1. It never throws, and only reads properties. A throwing getter counts as absent.
 * 2. The code decides. If it is -32603 or missing, a wrapped error's does (`data.originalError`, `error`, `cause`).
 * 3. Without a specific code, the text decides: wallets word rejections in many ways.
 * 4. The wallet's message (max 1,024 characters) and code stay.
 * 5. `data` stays if it is JSON (max 8,192 characters): dapps need revert data.
 * 6. A Postern error keeps its code.
 */
export function fromWalletError(thrown: unknown): LinkError {
  const own = read(thrown, 'code')
  const text = messageOf(thrown)
  const data = jsonOf(read(thrown, 'data'))
  const more = { ...(text !== undefined && { message: text }), ...(data !== undefined && { data }) }
  if (isErrorCode(own)) return linkError(own, more)

  const rpc = decisiveCode(thrown)
  const code: ErrorCode =
    (rpc === undefined ? undefined : codeByNumber.get(rpc)) ??
    (own === 'ACTION_REJECTED' || (text !== undefined && rejection.test(text)) ? 'USER_REJECTED' : undefined) ??
    (rpc === -32603 ? 'INTERNAL' : 'UNKNOWN')
  const number = code === 'USER_REJECTED' && (rpc === undefined || rpc === -32603) ? errors.USER_REJECTED.rpc : rpc
  return { ...linkError(code, more), ...(number !== undefined && { rpc: number }) }
}

/** 4902, 5000 and 32603 (either sign) lead to adding the chain (spec §8). */
export function isMissingChain(error: Pick<LinkError, 'rpc'>): boolean {
  return error.rpc !== undefined && addChainNumbers.has(error.rpc)
}

const addChainNumbers: ReadonlySet<number> = new Set([4902, 5000, 32603, -32603])

/** WalletConnect wallets decline with 5000. */
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

/** Errors with the wallet's or node's message. */
export const foreignCodes: ReadonlySet<ErrorCode> = new Set([...codeByNumber.values(), 'INTERNAL', 'UNKNOWN'])

const rejection =
  /\b(user|by user|request)\b.{0,24}\b(reject|denied|declin|cancel)|\b(reject|denied|declin|cancel)\w*\b.{0,24}\buser\b/i
const maxMessageLength = 1_024
const maxDataLength = 8_192
const maxDepth = 4

/** The outermost code other than -32603, else -32603 if present. */
function decisiveCode(thrown: unknown, depth = 0): number | undefined {
  const code = read(thrown, 'code')
  const number = typeof code === 'number' && Number.isSafeInteger(code) ? code : undefined
  if (depth >= maxDepth || (number !== undefined && number !== -32603)) return number
  for (const inner of [read(read(thrown, 'data'), 'originalError'), read(thrown, 'error'), read(thrown, 'cause')]) {
    const found = decisiveCode(inner, depth + 1)
    if (found !== undefined && found !== -32603) return found
  }
  return number
}

function messageOf(thrown: unknown): string | undefined {
  const text = typeof thrown === 'string' ? thrown : read(thrown, 'message')
  return typeof text === 'string' && text !== '' ? text.slice(0, maxMessageLength) : undefined
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
    return json === undefined || json.length > maxDataLength ? undefined : JSON.parse(json)
  } catch {
    return undefined
  }
}

export function asFailure(thrown: unknown): Failure {
  return thrown instanceof Failure ? thrown : fromLinkError(fromWalletError(thrown))
}
