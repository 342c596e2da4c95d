import { errors, fromServerMessage, fromWalletError } from '@postern/protocol'
import { Failure, fromLinkError } from '@postern/protocol/failure'

/**
 * WalletConnect codes beyond those of EIP-1193. 5000 is in the protocol's table. Source:
 * https://github.com/WalletConnect/walletconnect-specs (Sign API, error codes).
 */
const byNumber: ReadonlyMap<number, ConstructorParameters<typeof Failure>[0]> = new Map([
  [6, 'TIMEOUT'],
  [1001, 'UNSUPPORTED_METHOD'],
  [3001, 'UNSUPPORTED_METHOD'],
  [5001, 'USER_REJECTED'],
  [5002, 'USER_REJECTED'],
  [5003, 'USER_REJECTED'],
  [5100, 'CHAIN_NOT_SUPPORTED'],
  [5101, 'UNSUPPORTED_METHOD'],
  [5104, 'CHAIN_NOT_SUPPORTED'],
  [6000, 'DISCONNECTED'],
  [10001, 'UNSUPPORTED_METHOD'],
])

const byWords: readonly (readonly [RegExp, ConstructorParameters<typeof Failure>[0]])[] = [
  [/^(Proposal|Request) expired/i, 'TIMEOUT'],
  [
    /No internet connection|Failed to publish|socket connection to the relay|Socket stalled|Connection interrupted|Subscribing to/i,
    'RELAY_UNREACHABLE',
  ],
  [/session topic (doesn't|does not) exist|recently deleted/i, 'DISCONNECTED'],
]

/** Keeps the message and code of the library's or wallet's error. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown
  const found = fromWalletError(thrown)
  const message = found.message
  const refused = fromServerMessage(message)
  // The relay's words are inside the socket's message, which means nothing to the user.
  if (refused !== null) return new Failure(refused, { cause: thrown })
  const code =
    byNumber.get(numberOf(thrown) ?? Number.NaN) ??
    (found.code === 'UNKNOWN' ? byWords.find(([words]) => words.test(message))?.[1] : undefined)
  if (code === undefined) return fromLinkError(found)
  return new Failure(code, { ...(code !== 'RELAY_UNREACHABLE' && { message }), cause: thrown })
}

/** Reports any rejection as 4001 (EIP-1193), which dapps expect. */
export function forDapp(thrown: unknown): Failure {
  const found = toFailure(thrown)
  const { code, message, data } = found
  return code === 'USER_REJECTED' && found.rpc !== errors.USER_REJECTED.rpc
    ? new Failure(code, { message, data, cause: thrown })
    : found
}

function numberOf(thrown: unknown): number | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined
  const code: unknown = Reflect.get(thrown, 'code')
  return typeof code === 'number' ? code : undefined
}
