import type { LinkError } from '@postern/protocol'
import { isPosternError } from '../shared/errors'
import { codesByNumber, requestFailure } from '../shared/failures'
import { isLinkError } from './guards'

/** Never throws, although getters of the value may. ethers' ACTION_REJECTED is a rejection. Max 1,024 characters. */
export function toLinkError(thrown: unknown): LinkError {
  if (isPosternError(thrown)) {
    const { code, message, rpc } = thrown
    const own = { code, message, ...(rpc !== undefined && { rpc }) }
    if (isLinkError(own)) return own
  }
  const number = read(thrown, 'code')
  const text = typeof thrown === 'string' ? thrown : read(thrown, 'message')
  const rpc = Number.isSafeInteger(number) ? Number(number) : number === 'ACTION_REJECTED' ? 4001 : undefined
  const code = codesByNumber[rpc ?? 0] ?? 'INTERNAL'
  const message = typeof text === 'string' && text !== '' ? text.slice(0, 1024) : requestFailure('INTERNAL').message
  const data = plain(read(thrown, 'data'))
  return { code, message, ...(rpc !== undefined && { rpc }), ...(data !== null && { data }) }
}

function read(value: unknown, key: string): unknown {
  try {
    return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  } catch {
    return undefined
  }
}

/** JSON; null if not serializable. */
export function plain(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null')
  } catch {
    return null
  }
}
