/** Serves the protocol's `walletApi`. */
import {
  errors,
  fillText,
  isErrorCode,
  tryParse,
  type WalletApiAnswer,
  type WalletApiBody,
  type WalletApiCall,
  type WalletApiFailure,
  walletApi,
} from '@postern/protocol'
import type { Context, Env, Hono, MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type * as z from 'zod/mini'
import { limitBody } from './body-limit'
import { type Problem, parseOrThrow, problem } from './problem'

/** In bytes; fits two shares. */
const maxBodyBytes = 65_536

const calls: {
  readonly [C in WalletApiCall]: { readonly path: string; readonly body: z.ZodMiniType<WalletApiBody<C>> }
} = walletApi

const limit = limitBody(maxBodyBytes)

/** @param guards run before the body is read. */
export function serveCall<C extends WalletApiCall, E extends Env>(
  app: Hono<E>,
  call: C,
  guards: readonly MiddlewareHandler<E>[],
  handler: (body: WalletApiBody<C>, context: Context<E>) => Promise<WalletApiAnswer<C>>,
): void {
  const { path, body } = calls[call]
  app.on('POST', [path], limit, ...guards, async (context) => {
    // Other types can be posted across origins without a preflight.
    if (!/^application\/json\s*(?:;|$)/i.test(context.req.header('Content-Type') ?? '')) {
      throw problem(415, 'body', 'The body must be application/json')
    }
    const answer = await handler(parseBody(body, parseJson(await context.req.text())), context)
    return context.body(JSON.stringify(answer), 200, { 'Content-Type': 'application/json' })
  })
}

/** Invalid values of these fields fail as wrong ones. */
const typed: ReadonlyMap<PropertyKey | undefined, WalletApiFailure> = new Map([
  ['email', 'INVALID_EMAIL'],
  ['otp', 'WRONG_CODE'],
])

function parseBody<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> {
  const parsed = tryParse(schema, value)
  if (parsed.success) return parsed.data
  const fields = new Set(parsed.error.issues.map(({ path }) => path[0]))
  const failure = fields.size === 1 ? typed.get([...fields][0]) : undefined
  if (failure !== undefined) throw walletFailure(failure)
  return parseOrThrow(schema, value)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw problem(400, 'body', 'The body is not JSON')
  }
}

const statuses: Readonly<Record<WalletApiFailure, ContentfulStatusCode>> = {
  EMAIL_COOLDOWN: 429,
  INVALID_EMAIL: 400,
  CHALLENGE_REQUIRED: 428,
  WRONG_CODE: 403,
  CODE_EXPIRED: 410,
  CODE_SPENT: 410,
  TOO_MANY_ATTEMPTS: 429,
  SESSION_EXPIRED: 401,
  SIGN_IN_TOO_OLD: 401,
  DPOP_REFUSED: 401,
  DEVICE_REVOKED: 403,
  USER_BLOCKED: 403,
  CONSENT_DENIED: 403,
  PROVIDER_FAILED: 502,
  STATE_MISMATCH: 403,
  WALLET_EXISTS: 409,
  PREVIOUS_WALLET_EXISTS: 409,
  WALLET_NOT_FOUND: 404,
  RECOVERY_WAITING: 403,
  BAD_PROOF: 403,
  LAST_DEVICE: 409,
  WALLET_IN_USE: 409,
  HARDENED_RECOVERY_REQUIRED: 403,
  EMAIL_TAKEN: 409,
  EMAIL_ON_HOLD: 403,
  MAIL_FAILED: 502,
}

/** For codes whose catalogue text is missing or written for users. */
const ownTexts: Readonly<Partial<Record<WalletApiFailure, string>>> = {
  CHALLENGE_REQUIRED: 'Solve a challenge first: POST /auth/email/challenge',
  WALLET_EXISTS: 'The account has a wallet already',
  WALLET_NOT_FOUND: 'The account has no wallet',
  RECOVERY_WAITING: 'The waiting time of a new device is not over',
  EMAIL_ON_HOLD: 'The email address of the account was changed lately',
  BAD_PROOF: 'The signature is not of the wallet’s own key, or was used before',
}

/** @param retryAfter in s. @param triesLeft of the code. */
export function walletFailure(failure: WalletApiFailure, retryAfter?: number, triesLeft?: number): Problem {
  const listed = isErrorCode(failure) ? fillText(errors[failure].message, { seconds: retryAfter ?? 0 }) : undefined
  const text = ownTexts[failure] ?? listed
  return problem(statuses[failure], failure, text ?? errors.SOMETHING_WENT_WRONG.message, {
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    ...(triesLeft !== undefined && { 'Tries-Left': String(triesLeft) }),
  })
}
