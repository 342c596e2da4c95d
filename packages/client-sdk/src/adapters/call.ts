import { failure, failureOf, isPosternError, type PosternError } from '../errors'
import type { WalletProvider } from '../page-wallets/discovery'

/** Answers the requests of one wallet, by method; each gets the one object of parameters. */
export type Answers = Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => Promise<unknown>>>

/** A member at the end of a path; undefined where the path ends before. A getter that throws fails the request that needs it. */
export function member(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) =>
      (typeof at === 'object' && at !== null) || typeof at === 'function' ? Reflect.get(at, name) : undefined,
    value,
  )
}

/** Calls a method of the wallet's as its own. What it does not have is UNSUPPORTED_METHOD. */
export async function call(target: unknown, name: string, ...args: readonly unknown[]): Promise<unknown> {
  const method = member(target, name)
  if (typeof method !== 'function') throw unsupported()
  return Reflect.apply(method, target, args)
}

/** Listens by the event emitter that nearly all wallets are. Returns what ends it. */
export function listen(target: unknown, event: string, listener: (data: unknown) => void): () => void {
  call(target, 'on', event, listener).catch(() => {})
  return () => void call(target, 'removeListener', event, listener).catch(() => {})
}

/** Listens by a call that answers with its unsubscribe, late or never. Nothing is heard after the end. Returns what ends it. */
export function listenBy(
  begin: (heard: (data: unknown) => void) => Promise<unknown>,
  listener: (data: unknown) => void,
): () => void {
  let ended = false
  let stop: unknown
  begin((data) => {
    if (!ended) listener(data)
  }).then(
    (end) => {
      stop = end
      if (ended && typeof end === 'function') end()
    },
    () => {},
  )
  return () => {
    ended = true
    if (typeof stop === 'function') stop()
  }
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, 256) : []
}

/** The wallet's own word for where it lives, where that is a text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Held equal to the catalogue by `errors.test.ts`. */
export const adapterTexts = {
  UNSUPPORTED_METHOD: ['The provider does not support the requested method', 4200],
} as const

export function unsupported(): PosternError {
  return failureOf('UNSUPPORTED_METHOD', adapterTexts.UNSUPPORTED_METHOD)
}

export function unauthorized(): PosternError {
  return failure('UNAUTHORIZED')
}

/**
 * A message's signature that a wallet chose the form of: 65 bytes are recoverable ECDSA, everything else is a BIP-322 witness. One of another
 * form than was asked for would verify nowhere, so it is no answer.
 */
export function asProtocol(signature: Uint8Array, protocol: unknown): Uint8Array {
  if (protocol !== undefined && (signature.length === 65) !== (protocol === 'ecdsa')) throw unsupported()
  return signature
}

/** The wallet's answer to what it should have answered was something else. */
export function malformed(): PosternError {
  return failure('INTERNAL', new Error('The wallet’s answer is not valid'))
}

const codes: Readonly<Record<number, string>> = {
  4001: 'USER_REJECTED',
  4100: 'UNAUTHORIZED',
  4200: 'UNSUPPORTED_METHOD',
  4900: 'DISCONNECTED',
  [-32002]: 'REQUEST_PENDING',
  [-32601]: 'UNSUPPORTED_METHOD',
  [-32602]: 'INVALID_PARAMS',
}

/**
 * Whatever a wallet threw, by a number that means the same with all of them. `meaning` translates those of a wallet that numbers
 * otherwise. Without a telling number the words decide; the words themselves stay the wallet's, cut at 1,024 characters.
 */
export function walletFailure(thrown: unknown, meaning: Readonly<Record<number, number>> = {}): PosternError {
  if (isPosternError(thrown)) return thrown
  const look = (name: string): unknown => {
    try {
      // Leather rejects with the whole answer of JSON-RPC.
      return member(thrown, 'error', name) ?? member(thrown, name)
    } catch {
      return undefined
    }
  }
  const said = (typeof thrown === 'string' ? thrown : textOf(look('message')))?.slice(0, 1024)
  const code = look('code')
  const number = typeof code === 'number' ? code : Number.NaN
  const own = meaning[number] ?? number
  const rpc = codes[own] === undefined && said !== undefined && refusal.test(said) ? 4001 : own
  return failureOf(
    codes[rpc] ?? 'INTERNAL',
    [said ?? 'Internal error', Number.isSafeInteger(rpc) ? rpc : -32603],
    thrown,
  )
}

const refusal = /reject|denied|declin|cancel/i

/**
 * A wallet of the page from what it answers. Methods that are not there are UNSUPPORTED_METHOD; whatever it throws becomes one of our
 * failures, with the wallet's words.
 */
export function walletOf(
  answers: Answers,
  on: (event: string, listener: (data: unknown) => void) => () => void,
  meaning?: Readonly<Record<number, number>>,
): WalletProvider {
  return {
    async request({ method, params }) {
      const name = method.slice(method.indexOf('_') + 1)
      const answer = Object.hasOwn(answers, name) ? answers[name] : undefined
      const [given] = Array.isArray(params) ? params : [params]
      try {
        if (answer === undefined) throw unsupported()
        return await answer(typeof given === 'object' && given !== null ? given : {})
      } catch (thrown) {
        throw walletFailure(thrown, meaning)
      }
    },
    on,
  }
}
