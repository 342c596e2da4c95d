import {
  Features,
  isCaipNetworkId,
  isOriginAllowed,
  parseAllowedOrigin,
  RecoveryChoice,
  RecoveryRule,
} from '@postern/protocol'
import * as z from 'zod/mini'
import { hasManyOwners } from '../platform/http/registrable-domain'
import { languages } from './mail/text'

export const ProjectId = z
  .string()
  .check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'must be 1 to 64 letters, digits, hyphens or underscores'))

/** Normalised; `https://*.example.com` matches one label. */
const AllowedOrigin = z.pipe(
  z.string(),
  z.transform((value: string, context) => {
    const origin = parseAllowedOrigin(value)
    if (origin !== null && !letsStrangersIn(origin)) return origin
    const why =
      origin === null
        ? 'is not an origin such as https://app.example.com or https://*.example.com'
        : 'lets in pages of strangers: anyone can get a name there'
    context.issues.push({ code: 'custom', input: value, message: `${JSON.stringify(value)} ${why}` })
    return z.NEVER
  }),
)

/** Whether a wildcard's names have different owners: `https://*.co.uk`. */
export function letsStrangersIn(allowedOrigin: string): boolean {
  const host = /^https?:\/\/\*\.([^:]+)/.exec(allowedOrigin)?.[1]
  return host !== undefined && host !== 'localhost' && hasManyOwners(host)
}

const Color = z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #0d756d'))

const name = z.string().check(
  z.trim(),
  z.minLength(1, 'must not be empty'),
  z.maxLength(128, 'must be 128 characters or fewer'),
  // PostgreSQL stores no NUL, and replaces half a surrogate pair.
  z.refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'must have no control characters'),
)
const allowedOrigins = z.array(AllowedOrigin).check(z.maxLength(256, 'must be 256 origins or fewer'))
const features = z.partial(Features)

/** Of WalletConnect's dashboard or the project's own relay. Null disables WalletConnect. */
const walletConnect = z.nullable(
  z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, hyphens or underscores')),
)

/** For wallet sign-in. Null: all known chains. */
const signInChains = z.nullable(
  z
    .array(z.string().check(z.refine(isCaipNetworkId, 'must be a chain such as eip155:1')))
    .check(z.minLength(1, 'must name a chain'), z.maxLength(256, 'must be 256 chains or fewer')),
)

/** Until a new device gets a wallet's shares. */
const recoveryWaitHours = z
  .int('must be a whole number')
  .check(z.gte(0, 'must be at least 0'), z.lte(720, 'must be at most 720 hours (30 days)'))

/** Events to store (`POST /e`). The feature `analytics` overrides it. */
export const Analytics = z.strictObject({
  enabled: z._default(z.boolean(), true),
  /** The visitor is asked first. */
  consent: z._default(z.boolean(), true),
  addresses: z._default(z.boolean(), false),
})
export type Analytics = z.infer<typeof Analytics>
const defaultAnalytics: Analytics = { enabled: true, consent: true, addresses: false }

/** Null: `ANALYTICS_DAYS`. Not in {@link Analytics}: the previous version refuses unknown settings. */
const analyticsDays = z.nullable(
  z.int('must be a whole number').check(z.gte(1, 'must be at least 1'), z.lte(3_650, 'must be at most 3650')),
)

/** Invisible characters could hide or reverse what follows. */
const lineOf = (length: number) =>
  z.string().check(
    z.trim(),
    z.minLength(1, 'must not be empty'),
    z.maxLength(length, `must be ${length} characters or fewer`),
    z.refine((text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text), 'must be one line without invisible characters'),
    z.refine((text) => !/\p{Nd}{6}/u.test(text), 'must not have six digits in a row, which read like a code'),
  )

/** For what the dapp's `theme` does not set. */
export const Look = z.strictObject({
  accent: z.optional(Color),
  /** Of all corners. */
  radius: z.optional(z.number().check(z.gte(0, 'must be 0 to 2'), z.lte(2, 'must be 0 to 2'))),
  /** Fonts of the user's device, in order. */
  font: z.optional(
    z
      .string()
      .check(
        z.maxLength(128, 'must be 128 characters or fewer'),
        z.regex(/^[\p{L}\p{N}][\p{L}\p{N} _,-]*$/u, 'must be names of fonts such as Georgia, serif'),
      ),
  ),
  /** Into all surfaces. */
  mix: z.optional(Color),
  /** In percent. */
  mixStrength: z.optional(z.number().check(z.gte(0, 'must be 0 to 50'), z.lte(50, 'must be 0 to 50'))),
})
export type Look = z.infer<typeof Look>

/** Null: the gateway's own. No caller can change it. */
export const MailLook = z.strictObject({
  /** The address stays `MAIL_FROM`, which SPF and DKIM cover. */
  sender: z._default(z.nullable(lineOf(64)), null),
  replyTo: z._default(z.nullable(z.email('must be an email address')), null),
  /** Also in a sign-in's heading. Null: the project's name ({@link mailOf}). */
  brand: z._default(z.nullable(lineOf(64)), null),
  color: z._default(z.nullable(Color), null),
  footer: z._default(z.nullable(lineOf(300)), null),
})
export type MailLook = z.infer<typeof MailLook>
export const defaultMailLook: MailLook = { sender: null, replyTo: null, brand: null, color: null, footer: null }

const MailText = z.strictObject({
  intro: z.optional(lineOf(300)),
  footer: z.optional(lineOf(300)),
})

/**
 * A project cannot change the subject, purpose, code, warning or the link "This was not me": the wallet that a code
 * opens is the user's in every project.
 *
 * Not in {@link MailLook}, as {@link analyticsDays}.
 */
export const MailTexts = z.partialRecord(z.enum(languages), MailText)
export type MailTexts = z.infer<typeof MailTexts>

/** Omits a name that may not stand in an email. */
export function mailOf({ name, mail, mailTexts }: Pick<Project, 'name' | 'mail' | 'mailTexts'>) {
  const named = MailLook.shape.brand.safeParse(name)
  return { look: { ...mail, brand: mail.brand ?? (named.success ? named.data : null) }, texts: mailTexts }
}

/** Trust is given to one site. */
const ExactOrigin = AllowedOrigin.check(z.refine((origin) => !origin.includes('*'), 'must not have a wildcard'))

/** `WalletApprovals`, with `windowAboveUsd` null if not set. */
export const Approvals = z.strictObject({
  place: z._default(z.enum(['auto', 'window']), 'auto'),
  windowAboveUsd: z._default(
    z.nullable(z.number('must be an amount in US dollars such as 100').check(z.gte(0, 'must be 0 US dollars or more'))),
    null,
  ),
  trustedOrigins: z._default(z.array(ExactOrigin).check(z.maxLength(256, 'must be 256 origins or fewer')), []),
})
export type Approvals = z.infer<typeof Approvals>
const defaultApprovals: Approvals = { place: 'auto', windowAboveUsd: null, trustedOrigins: [] }

export const ProjectInput = z.strictObject({
  id: ProjectId,
  name,
  allowedOrigins: z._default(allowedOrigins, []),
  /** Default: the store's. */
  defaultAncestors: z.optional(z.boolean()),
  features: z._default(features, {}),
  look: z._default(Look, {}),
  analytics: z._default(Analytics, defaultAnalytics),
  analyticsDays: z._default(analyticsDays, null),
  walletConnect: z._default(walletConnect, null),
  signInChains: z._default(signInChains, null),
  recoveryWaitHours: z._default(recoveryWaitHours, 0),
  recovery: z._default(RecoveryRule, 'any'),
  recoveryChoice: z._default(RecoveryChoice, 'later'),
  approvals: z._default(Approvals, defaultApprovals),
  mail: z._default(MailLook, defaultMailLook),
  mailTexts: z._default(MailTexts, {}),
})
export type ProjectInput = z.infer<typeof ProjectInput>

export const ProjectChanges = z.strictObject({
  name: z.optional(name),
  allowedOrigins: z.optional(allowedOrigins),
  defaultAncestors: z.optional(z.boolean()),
  features: z.optional(features),
  look: z.optional(Look),
  analytics: z.optional(Analytics),
  analyticsDays: z.optional(analyticsDays),
  walletConnect: z.optional(walletConnect),
  signInChains: z.optional(signInChains),
  recoveryWaitHours: z.optional(recoveryWaitHours),
  recovery: z.optional(RecoveryRule),
  recoveryChoice: z.optional(RecoveryChoice),
  approvals: z.optional(Approvals),
  mail: z.optional(MailLook),
  mailTexts: z.optional(MailTexts),
})
export type ProjectChanges = z.infer<typeof ProjectChanges>

export const Project = z.strictObject({
  id: z.string(),
  name: z.string(),
  allowedOrigins: z.array(z.string()),
  defaultAncestors: z.boolean(),
  /** Missing flags have spec §1's defaults. */
  features,
  look: Look,
  analytics: Analytics,
  analyticsDays,
  walletConnect,
  signInChains,
  recoveryWaitHours,
  recovery: RecoveryRule,
  recoveryChoice: RecoveryChoice,
  approvals: Approvals,
  mail: MailLook,
  mailTexts: MailTexts,
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type Project = z.infer<typeof Project>

/** In the project's words, not the caller's. */
export function listedEntry(origin: string, { allowedOrigins }: Pick<Project, 'allowedOrigins'>): string | null {
  return allowedOrigins.find((entry) => isOriginAllowed(origin, [entry], { defaultAncestors: false })) ?? null
}

/** Pages of an allowed origin may embed the modal and call for the project. */
export function isAllowed(origin: string, project: Project): boolean {
  return isOriginAllowed(origin, project.allowedOrigins, { defaultAncestors: project.defaultAncestors })
}
