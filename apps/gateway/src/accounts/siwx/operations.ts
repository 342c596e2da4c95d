/** The client is `@postern/siwx`. */
import * as z from 'zod/mini'
import { operation } from '../../platform/http/operation'

export const siwxBase = '/v1/siwx'

const Session = z.object({
  chainId: z.string(),
  address: z.string(),
  domain: z.string(),
  uri: z.string(),
  nonce: z.string(),
  issuedAt: z.optional(z.string()),
  /** Epoch ms. */
  expiresAt: z.int(),
  contract: z.optional(z.boolean()),
})
const sessions = z.array(Session)
const Signed = z.object({ message: z.string(), signature: z.string() })

export const makeNonce = operation({
  method: 'post',
  path: `${siwxBase}/nonce`,
  summary: 'A nonce for one sign-in with a wallet',
  caller: 'project',
  response: z.object({ nonce: z.string() }),
})
export const authenticate = operation({
  method: 'post',
  path: `${siwxBase}/authenticate`,
  summary: 'Signs an account in by its signed message (CAIP-122); with the token of earlier sessions, besides them',
  caller: 'project',
  body: z.union([Signed, z.object({ sessions: z.array(Signed) })]),
  response: z.object({ token: z.string(), expiresAt: z.int(), session: Session, sessions }),
})
export const whoIsSignedIn = operation({
  method: 'get',
  path: `${siwxBase}/me`,
  summary: 'Who is signed in with this token',
  caller: 'project',
  session: true,
  response: z.object({ sessions, expiresAt: z.int() }),
})
export const signOut = operation({
  method: 'post',
  path: `${siwxBase}/sign-out`,
  summary: 'Ends the session of one account on one chain, or without them all',
  caller: 'project',
  session: true,
  body: z.object({ chainId: z.optional(z.string()), address: z.optional(z.string()) }),
  response: z.object({ sessions, token: z.optional(z.string()), expiresAt: z.optional(z.int()) }),
})
export const siwxKeys = operation({
  method: 'get',
  path: `${siwxBase}/jwks.json`,
  summary: 'The keys by which tokens of sign-ins with a wallet are checked (RFC 7517)',
  caller: 'anybody',
  response: 'application/json',
})
export const siwxOperations = [makeNonce, authenticate, whoIsSignedIn, signOut, siwxKeys]
