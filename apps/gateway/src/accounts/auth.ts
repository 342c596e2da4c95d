import type { Database } from '../platform/db/open'
import { createPostgresLimiter, type PostgresLimiter } from '../platform/limits/postgres'
import type { Log } from '../platform/log/log'
import type { Secrets } from '../platform/secrets/secrets'
import { createChallenges } from './codes/challenges'
import { createCodes } from './codes/codes'
import { devicePagePath } from './email/device-page'
import { createEmailSignIn, type EmailSignIn } from './email/email'
import { createEmailChange, type EmailChange } from './email/email-change'
import { createEmailFlows } from './email/email-flows'
import { createMailing, type Mailing, type MailRates } from './email/mailing'
import { createNotMe, type NotMe } from './email/not-me'
import { createPendingChanges, type PendingChanges } from './email/pending-changes'
import { createRecoveryMail, type RecoveryMail } from './email/recovery-mail'
import { createSignInLimits, type SignInLimits } from './limits/sign-in-limits'
import type { Mailer } from './mail/mailer'
import type { ProjectMail } from './mail/messages'
import { createProofs, type Proofs } from './sessions/dpop'
import { createIdentityTokens, type IdentityTokens } from './sessions/identity-token'
import { createSessions, type Sessions } from './sessions/sessions'
import { type Accounts, createAccounts } from './users/accounts'
import { type AddressChanges, createAddressChanges } from './users/address-changes'

export type Auth = {
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly proofs: Proofs
  readonly identityTokens: IdentityTokens
  readonly limits: PostgresLimiter
  readonly signInLimits: SignInLimits
  readonly notMe: NotMe
  readonly addressChanges: AddressChanges
  readonly pendingChanges: PendingChanges
  readonly email: {
    readonly signIn: EmailSignIn
    readonly change: EmailChange
    readonly mailing: Mailing
    readonly recovery: RecoveryMail
  } | null
  /** Deletes expired rows; safe on several replicas at once. */
  sweep(): Promise<void>
}

export function createAuth(options: {
  readonly database: Pick<Database, 'orm'>
  readonly secrets: Secrets
  readonly mailer: Mailer | null
  readonly mailRates: MailRates
  /** Default: the gateway's own. */
  readonly projectMailOf?: ((projectId: string) => Promise<ProjectMail>) | undefined
  readonly walletOrigin: string
  readonly log: Pick<Log, 'warn'>
  readonly onSignIn?: ((provider: string) => void) | undefined
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Of the challenges. Default: random. */
  readonly pickNumber?: ((end: number) => number) | undefined
}): Auth {
  const { database, secrets, mailer, walletOrigin, log, now } = options
  const { orm } = database
  const hash = secrets.hashCode
  const limits = createPostgresLimiter({ orm, hash, now })
  const codes = createCodes({ orm, hash, limits, now })
  const challenges = createChallenges({ hash, now, pickNumber: options.pickNumber })
  const accounts = createAccounts({ orm, secrets, now })
  const addressChanges = createAddressChanges({ orm, now })
  const pendingChanges = createPendingChanges({ orm, secrets, now })
  const notMe = createNotMe({ orm, secrets, accounts, addressChanges, walletOrigin, now })
  const identityTokens = createIdentityTokens({ keys: secrets.identityKeys, issuer: walletOrigin, now })
  const sessions = createSessions({
    orm,
    accounts,
    addressChanges,
    codes,
    identityTokens,
    mails: mailer !== null,
    onSignIn: options.onSignIn,
    now,
  })
  const proofs = createProofs({ limits, hash, walletOrigin, now })
  const email = mailer === null ? null : createEmail(mailer)

  return {
    accounts,
    sessions,
    proofs,
    identityTokens,
    limits,
    signInLimits: createSignInLimits({ orm, limits, challenges }),
    notMe,
    addressChanges,
    pendingChanges,
    email,
    async sweep() {
      await addressChanges.sweep()
      await limits.sweep()
      await codes.sweep()
      await sessions.sweep()
      await email?.signIn.sweep()
    },
  }

  function createEmail(by: Mailer): NonNullable<Auth['email']> {
    const mailing = createMailing({ mailer: by, limits, codes, rates: options.mailRates, log, now })
    const deviceUrl = `${walletOrigin}${devicePagePath}`
    return {
      mailing,
      recovery: createRecoveryMail({ mailing, notMe }),
      signIn: createEmailSignIn({
        flows: createEmailFlows({ orm, addressChanges, now }),
        secrets,
        accounts,
        codes,
        challenges,
        limits,
        mailing,
        sessions,
        notMe,
        projectMailOf: options.projectMailOf ?? (async () => ({})),
        deviceUrl,
        now,
      }),
      change: createEmailChange({ pendingChanges, accounts, addressChanges, codes, mailing, notMe, now }),
    }
  }
}
