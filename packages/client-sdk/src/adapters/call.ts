import type { WalletProvider } from '../discovery/wallet-provider'
import { failure, failureOf, isPosternError, type PosternError, type Text, texts } from '../shared/errors'
import { codesByNumber, requestFailure, requestTexts } from '../shared/failures'

export type Answers = Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => Promise<unknown>>>

/** Undefined if the path ends early. Throws if a getter throws. */
export function member(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) =>
      (typeof at === 'object' && at !== null) || typeof at === 'function' ? Reflect.get(at, name) : undefined,
    value,
  )
}

/** @throws UNSUPPORTED_METHOD */
export async function call(target: unknown, name: string, ...args: readonly unknown[]): Promise<unknown> {
  const method = member(target, name)
  if (typeof method !== 'function') throw unsupported()
  return Reflect.apply(method, target, args)
}

export function listen(target: unknown, event: string, listener: (data: unknown) => void): () => void {
  call(target, 'on', event, listener).catch(() => {})
  return () => void call(target, 'removeListener', event, listener).catch(() => {})
}

/** For a call that returns its unsubscribe function late or never. */
export function listenBy(
  begin: (onData: (data: unknown) => void) => Promise<unknown>,
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

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

const allTexts: Readonly<Record<string, Text>> = { ...texts, ...requestTexts }

export function unsupported(): PosternError {
  return requestFailure('UNSUPPORTED_METHOD')
}

export function unauthorized(): PosternError {
  return failure('UNAUTHORIZED')
}

/** Rejects another format than requested. 65 bytes are recoverable ECDSA, others BIP-322. */
export function asProtocol(signature: Uint8Array, protocol: unknown): Uint8Array {
  if (protocol !== undefined && (signature.length === 65) !== (protocol === 'ecdsa')) throw unsupported()
  return signature
}

export function malformed(): PosternError {
  return requestFailure('INTERNAL', new Error('The wallet’s response is not valid'))
}

const codes: Readonly<Record<number, string>> = { ...codesByNumber, [-32601]: 'UNSUPPORTED_METHOD' }

/**
 * A failure with a standard number and max 1,024 characters.
 * `meaning` translates the wallet's numbers; for an unknown number, the message decides.
 */
export function walletFailure(thrown: unknown, meaning: Readonly<Record<number, number>> = {}): PosternError {
  if (isPosternError(thrown)) return thrown
  const look = (name: string): unknown => {
    try {
      // Leather rejects with the complete response.
      return member(thrown, 'error', name) ?? member(thrown, name)
    } catch {
      return undefined
    }
  }
  const message = (typeof thrown === 'string' ? thrown : textOf(look('message')))?.slice(0, 1024)
  const code = look('code')
  const number = typeof code === 'number' ? code : Number.NaN
  const own = meaning[number] ?? number
  const rpc = codes[own] === undefined && message !== undefined && refusal.test(message) ? 4001 : own
  const reason = codes[rpc] ?? 'INTERNAL'
  const [, fix] = allTexts[reason] ?? requestTexts.INTERNAL
  return failureOf(reason, [message ?? 'Internal error', fix, Number.isSafeInteger(rpc) ? rpc : -32603], thrown)
}

const refusal = /reject|denied|declin|cancel/i

export function walletOf(
  answers: Answers,
  on: (event: string, listener: (data: unknown) => void) => () => void,
  meaning?: Readonly<Record<number, number>>,
): WalletProvider {
  return {
    async request({ method, params }) {
      const name = method.slice(method.indexOf('_') + 1)
      const answer = Object.hasOwn(answers, name) ? answers[name] : undefined
      const [input] = Array.isArray(params) ? params : [params]
      try {
        if (answer === undefined) throw unsupported()
        return await answer(typeof input === 'object' && input !== null ? input : {})
      } catch (thrown) {
        throw walletFailure(thrown, meaning)
      }
    },
    on,
  }
}
