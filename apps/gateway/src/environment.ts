/** Environment variables with their rules. docs/operate/settings.md has the table. */
import { limits } from '@postern/protocol'
import * as z from 'zod/mini'
import { MaxPerOperation } from './chains/bundler/config'

/** One CSP source: no user or fragment; `new URL` accepts `;` in a host of a non-special scheme. */
const RelayUrl = z
  .url({ protocol: /^wss?$/, error: 'must be a wss or ws URL' })
  .check(z.refine((url) => !/[#@;,\s]/.test(url), 'must have no user, no password and no fragment'))

const integer = (min: number, max: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)),
    z.pipe(
      z.transform((text: string) => Number(text)),
      z.int().check(z.gte(min, `must be at least ${min}`), z.lte(max, `must be at most ${max}`)),
    ),
  )

const Origin = z
  .string()
  .check(
    z.refine(
      (value) => URL.canParse(value) && new URL(value).origin === value && /^https?:/.test(value),
      'must be an origin such as https://modal.example.com, with no path and no slash at the end',
    ),
  )

const SmtpUrl = z.string().check(
  z.refine((value) => value === 'off' || value === 'terminal' || (URL.canParse(value) && /^smtps?:/.test(value)), {
    error: 'must be an smtp or smtps URL, or off',
  }),
)

/** A `#`, `/` or `?` in the password would end the host, and the rest would name the database. */
const DatabaseUrl = z.string().check(
  z.regex(/^postgres(ql)?:\/\//, { error: 'must begin with postgres:// or postgresql://', abort: true }),
  z.refine((value) => URL.canParse(value) && !/[@#]/.test(afterHost(new URL(value))), {
    error: 'must be a postgresql:// URL: write special characters of the password as %23, not #',
  }),
)

const afterHost = ({ pathname, search, hash }: URL) => pathname + search + hash

const MailFrom = z
  .string()
  .check(z.regex(/^(?:[^<>@\r\n]{1,128} <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, 'must be `Name <address>`'))

export const Environment = z.object({
  NODE_ENV: z.optional(z.string()),
  HOST: z.optional(z.string()),
  PORT: z._default(integer(0, 65_535), 4400),
  METRICS_HOST: z._default(z.string(), '127.0.0.1'),
  METRICS_PORT: z.optional(integer(0, 65_535)),
  POSTERN_ADMIN_TOKEN: z.optional(z.string()),
  POSTERN_ADMIN_TOKENS: z.optional(z.string()),
  POSTERN_ADMIN_HOST: z._default(z.string(), '127.0.0.1'),
  POSTERN_ADMIN_PORT: z._default(integer(0, 65_535), 4480),
  MODAL_ORIGIN: z.optional(Origin),
  WALLET_ORIGIN: z.optional(Origin),
  DATABASE_URL: z.optional(DatabaseUrl),
  POSTERN_DATA: z.optional(z.string()),
  POSTERN_MODAL_DIR: z.optional(z.string()),
  POSTERN_WALLET_DIR: z.optional(z.string()),
  POSTERN_CONSOLE_DIR: z.optional(z.string()),
  POSTERN_SDK_DIR: z.optional(z.string()),
  POSTERN_ASSETS: z.optional(z.string()),
  POSTERN_DIRECTORY: z.optional(z.string()),
  POSTERN_NETWORKS: z.optional(z.string()),
  POSTERN_SEED: z.optional(z.string()),
  POSTERN_BUNDLERS: z.optional(z.string()),
  POSTERN_PAYMASTERS: z.optional(z.string()),
  BUNDLER_CALLS_PER_USER_DAY: z._default(integer(1, 1_000_000), 500),
  BUNDLER_CALLS_PER_PROJECT_DAY: z._default(integer(1, 100_000_000), 50_000),
  PAYMASTER_CALLS_PER_USER_DAY: z._default(integer(1, 1_000_000), 200),
  PAYMASTER_CALLS_PER_PROJECT_DAY: z._default(integer(1, 100_000_000), 20_000),
  PAYMASTER_MAX_PER_OPERATION: z.optional(MaxPerOperation),
  SECURITY_CONTACT: z.optional(
    z
      .string()
      .check(
        z.regex(
          /^(mailto:[^\s,@]+@[^\s,@]+|https:\/\/[^\s,]+)(,(mailto:[^\s,@]+@[^\s,@]+|https:\/\/[^\s,]+))*$/,
          'must be mailto: or https: URLs, with commas between them',
        ),
      ),
  ),
  LOG_LEVEL: z._default(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'must be trace, debug, info, warn, error, fatal or silent',
    }),
    'info',
  ),
  WALLETCONNECT_RELAY_URL: z._default(RelayUrl, 'wss://relay.walletconnect.org'),
  TRUSTED_PROXIES: z._default(integer(0, 16), 0),
  REGION_HEADER: z.optional(z.string().check(z.regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a header'))),
  RPC_RATE_PER_SECOND: z._default(integer(1, 1_000_000), 50),
  // A whole batch must fit.
  RPC_RATE_BURST: z._default(integer(limits.rpcBatchSize, 1_000_000), 2_000),
  RPC_RATE_PER_PROJECT: z._default(integer(1, 10_000_000), 2_000),
  ANALYTICS_DAYS: z._default(integer(1, 3_650), 90),
  SIGN_IN_KEY_DAYS: z._default(integer(1, 365), 30),
  POSTERN_SECRETS: z.optional(z.string()),
  POSTERN_KEY_SERVICE_TOKEN: z.optional(z.string()),
  SMTP_URL: z.optional(SmtpUrl),
  MAIL_FROM: z.optional(MailFrom),
  MAIL_RATE_PER_CALLER: z.optional(integer(1, 1_000_000)),
  MAIL_RATE_PER_PROJECT: z.optional(integer(1, 1_000_000)),
})
