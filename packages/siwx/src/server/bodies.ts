import * as z from 'zod/mini'
import type { ChainAccount } from '../account'
import { formatMessage } from '../message/format'
import { InvalidMessageError } from '../message/invalid-message'
import type { SignInMessage } from '../types'
import { ChainId } from './chain-id'
import { Refusal } from './http'

const Data = z.object({
  accountAddress: z.string(),
  chainId: ChainId,
  domain: z.string(),
  uri: z.string(),
  version: z.string(),
  nonce: z.string(),
  statement: z.optional(z.string()),
  issuedAt: z.optional(z.string()),
  expirationTime: z.optional(z.string()),
  notBefore: z.optional(z.string()),
  requestId: z.optional(z.string()),
  resources: z.optional(z.array(z.string())),
})
const Signed = z.object({ message: z.string(), signature: z.string(), data: z.optional(Data) })
const Authenticate = z.union([z.object({ sessions: z.array(Signed).check(z.minLength(1), z.maxLength(16)) }), Signed])
/** Both or neither: one alone would end other sessions. */
const SignOut = z
  .object({ chainId: z.optional(ChainId), address: z.optional(z.string()) })
  .check(z.refine((account) => (account.chainId === undefined) === (account.address === undefined)))

export type Signed = { readonly message: string; readonly signature: string }

/** @throws {Refusal} 400, also if `data` differs from the text */
export function toAuthenticate(body: unknown): readonly Signed[] {
  const parsed = parse(Authenticate, body)
  const all = 'sessions' in parsed ? parsed.sessions : [parsed]
  for (const { data, message } of all)
    if (data !== undefined && !isText(data, message))
      throw new Refusal(400, 'MALFORMED', 'The data differs from the signed message')
  return all
}

/** Null: all accounts. */
export function toSignOut(body: unknown): ChainAccount | null {
  const { chainId, address } = parse(SignOut, body)
  return chainId === undefined || address === undefined ? null : { chainId, address }
}

function parse<T extends z.ZodMiniType>(schema: T, body: unknown): z.output<T> {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new Refusal(400, 'MALFORMED', 'The body has unexpected members')
  return parsed.data
}

function isText(data: SignInMessage, message: string): boolean {
  try {
    return formatMessage(data) === message
  } catch (error) {
    if (error instanceof InvalidMessageError) return false
    throw error
  }
}
