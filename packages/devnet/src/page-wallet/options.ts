/** How one wallet in the page is set up: by the `data-` attributes of its script tag, or by `installDevnetWallet`. */
import * as z from 'zod/mini'

export const WalletNetwork = z.strictObject({
  chainId: z.int().check(z.positive()),
  name: z.string().check(z.minLength(1)),
  rpcUrl: z.url({ protocol: /^https?$/ }),
})
export type WalletNetwork = z.infer<typeof WalletNetwork>

export const WalletOptions = z.strictObject({
  name: z._default(z.string().check(z.minLength(1)), 'Devnet Wallet'),
  /** EIP-6963 reverse domain name; also the name of this wallet's storage and of its controls. */
  rdns: z._default(z.string().check(z.minLength(1)), 'dev.postern.devnet-wallet'),
  /** A `data:` URI of an image. */
  icon: z.optional(z.string().check(z.regex(/^data:image\//))),
  /** Index of the first active account, m/44'/60'/0'/0/i of the devnet's phrase. */
  account: z._default(z.int().check(z.gte(0), z.lte(9)), 0),
  /** Networks the wallet knows before a dapp adds one; the first is active unless `chain` says otherwise. */
  networks: z._default(z.array(WalletNetwork).check(z.minLength(1)), [
    { chainId: 31337, name: 'Postern Devnet', rpcUrl: 'http://127.0.0.1:8545' },
    { chainId: 31338, name: 'Postern Devnet Two', rpcUrl: 'http://127.0.0.1:8546' },
  ]),
  chain: z.optional(z.int().check(z.positive())),
  /** Announce by EIP-6963. */
  announce: z._default(z.boolean(), true),
  /** Take `window.ethereum` too, as wallets did before EIP-6963. */
  legacy: z._default(z.boolean(), false),
  /** Starts locked, until the visitor unlocks it. */
  locked: z._default(z.boolean(), false),
  /** Answers every request with yes and shows nothing. */
  autoApprove: z._default(z.boolean(), false),
})
export type WalletOptions = z.infer<typeof WalletOptions>
export type WalletOptionsInput = z.input<typeof WalletOptions>

export function parseWalletOptions(input: unknown): WalletOptions {
  const parsed = z.safeParse(WalletOptions, input)
  if (!parsed.success) throw new Error(`The wallet's options are not right.\n${z.prettifyError(parsed.error)}`)
  return parsed.data
}

const text = (value: string) => value
const flag = (value: string) => (value === '' || value === 'true' ? true : value === 'false' ? false : value)
/** What each `data-` attribute holds, by its name in `dataset`. */
const attributes: { readonly [K in keyof WalletOptions]: (value: string) => unknown } = {
  name: text,
  rdns: text,
  icon: text,
  account: Number,
  networks: (value) => JSON.parse(value),
  chain: Number,
  announce: flag,
  legacy: flag,
  locked: flag,
  autoApprove: flag,
}

/**
 * Reads `<script src="…/page-wallet.js" data-name="Second Wallet" data-rdns="dev.example.second" data-legacy>`.
 * A flag is on when it stands there, off as `="false"`; `data-networks` is a JSON list of {@link WalletNetwork}.
 */
export function readScriptOptions(dataset: Readonly<Record<string, string | undefined>>): WalletOptions {
  const input: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(attributes)) {
    const value = dataset[name]
    if (value !== undefined) input[name] = read(value)
  }
  return parseWalletOptions(input)
}
