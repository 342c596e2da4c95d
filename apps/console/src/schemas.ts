/** The fields of the admin API's answers that the console shows. */
import { SomeFeatures } from '@postern/protocol'
import * as z from 'zod/mini'

const Time = z.string()

export const Me = z.object({
  name: z.string(),
  role: z.enum(['viewer', 'admin']),
  modalOrigin: z.string(),
  mailLanguages: z.array(z.string()),
  openId: z.boolean(),
})
export type Me = z.infer<typeof Me>

export const ScriptTag = z.object({ src: z.string(), integrity: z.nullable(z.string()) })
export type ScriptTag = z.infer<typeof ScriptTag>

export const Ended = z.object({ ended: z.number() })

export const OperatorSessions = z.array(
  z.object({
    id: z.string(),
    operator: z.string(),
    role: z.string(),
    signedInAt: Time,
    expiresAt: Time,
    isThis: z.boolean(),
  }),
)
export type OperatorSession = z.infer<typeof OperatorSessions>[number]

export const Done = z.object({ status: z.literal('ok') })

/** Lines of emails, by language. */
const MailTexts = z.record(z.string(), z.object({ intro: z.optional(z.string()), footer: z.optional(z.string()) }))
export type MailTexts = z.infer<typeof MailTexts>

const Look = z.object({
  accent: z.optional(z.string()),
  radius: z.optional(z.number()),
  font: z.optional(z.string()),
  mix: z.optional(z.string()),
  mixStrength: z.optional(z.number()),
})
export type Look = z.infer<typeof Look>

export const Project = z.object({
  id: z.string(),
  name: z.string(),
  allowedOrigins: z.array(z.string()),
  defaultAncestors: z.boolean(),
  features: SomeFeatures,
  /** A gateway of the previous version has no look. */
  look: z._default(Look, {}),
  walletConnect: z.nullable(z.string()),
  signInChains: z.nullable(z.array(z.string())),
  mail: z.object({
    sender: z.nullable(z.string()),
    replyTo: z.nullable(z.string()),
    brand: z.nullable(z.string()),
    color: z.nullable(z.string()),
    footer: z.nullable(z.string()),
  }),
  mailTexts: MailTexts,
  analytics: z.object({
    enabled: z.boolean(),
    consent: z.boolean(),
    addresses: z.boolean(),
  }),
  analyticsDays: z.nullable(z.number()),
  updatedAt: Time,
})
export type Project = z.infer<typeof Project>

export const OriginTest = z.object({ allowed: z.boolean(), rule: z.nullable(z.string()), origin: z.string() })

export const UserSummary = z.object({
  id: z.string(),
  provider: z.string(),
  email: z.nullable(z.string()),
  createdAt: Time,
  blockedAt: z.nullable(Time),
})
export const User = z.extend(UserSummary, {
  wallets: z.array(z.object({ eip155: z.string(), solana: z.string(), isPrevious: z.boolean() })),
  devices: z.array(
    z.object({
      id: z.string(),
      name: z.nullable(z.string()),
      projectId: z.nullable(z.string()),
      usedAt: Time,
      revokedAt: z.nullable(Time),
      sessions: z.number(),
    }),
  ),
})
export type User = z.infer<typeof User>

export const Analytics = z.object({
  days: z.array(
    z.object({ day: z.string(), sites: z.number(), opens: z.number(), connects: z.number(), failures: z.number() }),
  ),
  connects: z.array(
    z.object({
      day: z.string(),
      wallet: z.string(),
      chain: z.nullable(z.string()),
      outcome: z.string(),
      count: z.number(),
    }),
  ),
})
export type Analytics = z.infer<typeof Analytics>

export const Health = z.object({
  version: z.string(),
  uptimeSeconds: z.number(),
  database: z.object({
    kind: z.string(),
    answers: z.boolean(),
    ms: z.number(),
    connections: z.nullable(z.object({ total: z.number(), idle: z.number(), waiting: z.number() })),
  }),
  email: z.object({ configured: z.boolean(), sent: z.number(), failed: z.number() }),
  upstreams: z.array(z.object({ host: z.string(), answered: z.number(), failed: z.number() })),
  limits: z.array(z.object({ route: z.string(), refused: z.number() })),
})

export const Wallets = z.object({
  count: z.number(),
  wallets: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      rdns: z.nullable(z.string()),
      namespaces: z.array(z.string()),
      explorerIds: z.array(z.string()),
      homepage: z.nullable(z.string()),
      certified: z.boolean(),
    }),
  ),
})

export const Entries = z.array(
  z.object({
    id: z.number(),
    at: Time,
    actor: z.string(),
    action: z.string(),
    target: z.nullable(z.string()),
    detail: z.nullable(z.string()),
  }),
)
