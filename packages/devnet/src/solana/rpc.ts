/** Source: https://solana.com/docs/rpc/http */
import { base58, base64 } from '@scure/base'
import { type Address, getCompiledTransactionMessageDecoder, isAddress, isSignature } from '@solana/kit'
import * as z from 'zod/mini'
import { accountView, readMint, readTokenAccount, tokenAmountView, tokenPrograms } from './accounts-view'
import { payFromFaucet } from './faucet'
import { commitments, type DecodedTransaction, type Landed, type Outcome, type SolanaLedger, toAddress } from './ledger'
import { describeFailure } from './transaction-error'
import { lamportsPerSignature, landedView, reaches, returnDataView } from './transactions-view'
import { invalidParams, RpcError } from './wire'

/**
 * Invented, because there is no genesis block.
 * 32 bytes in base58; the first 32 characters are the CAIP-2 reference (CAIP-30).
 */
export const genesisHash = 'PosternDevnet111111111111111111111111111111'

const Commitment = z.optional(z.enum(commitments))
const AddressText = z.string().check(z.refine(isAddress))
const SignatureText = z.string().check(z.refine(isSignature))
const Slice = z.optional(z.object({ offset: z.int().check(z.gte(0)), length: z.int().check(z.gte(0)) }))
const Encoding = z.optional(z.enum(['base58', 'base64', 'jsonParsed']))
const WireEncoding = z.optional(z.enum(['base58', 'base64']))
const HeightConfig = z.nullish(z.object({ commitment: Commitment }))
const AccountConfig = z.nullish(z.object({ commitment: Commitment, encoding: Encoding, dataSlice: Slice }))

type Method = (params: unknown) => unknown

/** Invalid `params` are -32602; missing ones are an empty list. */
function method<S extends z.core.$ZodType>(schema: S, run: (params: z.output<S>) => unknown): Method {
  return (params) => {
    const parsed = z.safeParse(schema, params ?? [])
    if (!parsed.success) throw invalidParams(z.prettifyError(parsed.error))
    return run(parsed.data)
  }
}

const first = z.tuple([AddressText], z.unknown())
const none = z.array(z.unknown())

export function createMethods(ledger: SolanaLedger): ReadonlyMap<string, Method> {
  const { svm } = ledger
  const inContext = (value: unknown) => ({ context: { slot: ledger.slot(), apiVersion: '3.0.0' }, value })
  const balanceOf = (address: string) => svm.getBalance(toAddress(address)) ?? 0n
  /** The default is `finalized`, as on a cluster. */
  const heights = method(z.tuple([z._default(HeightConfig, null)]), ([config]) =>
    ledger.slotAt(config?.commitment ?? 'finalized'),
  )

  const tokenAccounts = (owner: Address, filter: { mint?: string | undefined; programId?: string | undefined }) =>
    tokenPrograms
      .filter((program) => filter.programId === undefined || filter.programId === program)
      .flatMap((program) =>
        svm.getProgramAccounts(toAddress(program)).filter(({ data }) => {
          const token = readTokenAccount(program, data)
          return token !== null && token.owner === owner && (filter.mint === undefined || filter.mint === token.mint)
        }),
      )

  return new Map<string, Method>([
    ['getSlot', heights],
    ['getBlockHeight', heights],
    ['getTransactionCount', heights],
    ['getHealth', () => 'ok'],
    ['getVersion', () => ({ 'solana-core': '3.0.0', 'feature-set': 0 })],
    ['getGenesisHash', () => genesisHash],
    ['getFirstAvailableBlock', () => 0],
    ['minimumLedgerSlot', () => 0],
    [
      'getEpochInfo',
      method(none, () => {
        const slot = ledger.slot()
        const slotsInEpoch = 432_000n
        return {
          absoluteSlot: slot,
          blockHeight: slot,
          epoch: slot / slotsInEpoch,
          slotIndex: slot % slotsInEpoch,
          slotsInEpoch,
          transactionCount: slot,
        }
      }),
    ],
    ['getLatestBlockhash', method(none, () => inContext(ledger.latestBlockhash()))],
    [
      'isBlockhashValid',
      method(z.tuple([z.string()], z.unknown()), ([blockhash]) => inContext(ledger.isBlockhashValid(blockhash))),
    ],
    ['getBalance', method(first, ([address]) => inContext(balanceOf(address)))],
    [
      'getAccountInfo',
      method(z.tuple([AddressText, z._default(AccountConfig, null)]), ([address, config]) =>
        inContext(accountView(svm, toAddress(address), config?.encoding ?? 'base58', { slice: config?.dataSlice })),
      ),
    ],
    [
      'getMultipleAccounts',
      method(
        z.tuple([z.array(AddressText).check(z.maxLength(100)), z._default(AccountConfig, null)]),
        ([addresses, config]) =>
          inContext(
            addresses.map((address) =>
              accountView(svm, toAddress(address), config?.encoding ?? 'base64', { slice: config?.dataSlice }),
            ),
          ),
      ),
    ],
    [
      'getMinimumBalanceForRentExemption',
      method(z.tuple([z.int().check(z.gte(0), z.lte(10_485_760))], z.unknown()), ([length]) =>
        svm.minimumBalanceForRentExemption(BigInt(length)),
      ),
    ],
    ['getRecentPrioritizationFees', method(none, () => [{ slot: ledger.slot(), prioritizationFee: 0 }])],
    [
      'getFeeForMessage',
      method(z.tuple([z.string()], z.unknown()), ([message]) => {
        const decoded = readMessage(message)
        const valid = ledger.isBlockhashValid(decoded.lifetimeToken ?? '')
        return inContext(valid ? lamportsPerSignature * BigInt(decoded.header.numSignerAccounts) : null)
      }),
    ],
    [
      'getTokenAccountsByOwner',
      method(
        z.tuple([
          AddressText,
          z.union([z.object({ mint: AddressText }), z.object({ programId: AddressText })]),
          z._default(AccountConfig, null),
        ]),
        ([owner, filter, config]) =>
          inContext(
            tokenAccounts(toAddress(owner), filter).map(({ address }) => ({
              pubkey: address,
              account: accountView(svm, address, config?.encoding ?? 'base58', { slice: config?.dataSlice }),
            })),
          ),
      ),
    ],
    [
      'getTokenAccountBalance',
      method(first, ([address]) => {
        const account = svm.getAccount(toAddress(address))
        const token = account.exists ? readTokenAccount(account.programAddress, account.data) : null
        if (token === null) throw invalidParams('not a Token account')
        return inContext(tokenAmountView(svm, token))
      }),
    ],
    [
      'getTokenSupply',
      method(first, ([address]) => {
        const account = svm.getAccount(toAddress(address))
        const mint = account.exists ? readMint(account.programAddress, account.data) : null
        if (mint === null) throw invalidParams('not a Token mint')
        return inContext(tokenAmountView(svm, { mint: toAddress(address), amount: mint.supply }))
      }),
    ],
    [
      'requestAirdrop',
      method(
        z.tuple([AddressText, z.int().check(z.positive(), z.lte(1_000_000_000_000))], z.unknown()),
        ([to, lamports]) => payFromFaucet(ledger, toAddress(to), BigInt(lamports)),
      ),
    ],
    ...transactionMethods(ledger, inContext),
  ])
}

const SendConfig = z.nullish(
  z.object({
    encoding: WireEncoding,
    skipPreflight: z.optional(z.boolean()),
    preflightCommitment: Commitment,
    maxRetries: z.nullish(z.int()),
    minContextSlot: z.nullish(z.int()),
  }),
)
const SimulateConfig = z.nullish(
  z.object({
    encoding: WireEncoding,
    commitment: Commitment,
    sigVerify: z.optional(z.boolean()),
    replaceRecentBlockhash: z.optional(z.boolean()),
    accounts: z.nullish(z.object({ addresses: z.array(AddressText), encoding: Encoding })),
    innerInstructions: z.optional(z.boolean()),
  }),
)
const TransactionConfig = z.nullish(
  z.union([
    z.enum(['json', 'jsonParsed', 'base58', 'base64']),
    z.object({
      commitment: Commitment,
      encoding: z.optional(z.enum(['json', 'jsonParsed', 'base58', 'base64'])),
      maxSupportedTransactionVersion: z.optional(z.int().check(z.gte(0))),
    }),
  ]),
)
const HistoryConfig = z.nullish(
  z.object({
    commitment: Commitment,
    limit: z.optional(z.int().check(z.gte(1), z.lte(1_000))),
    before: z.nullish(SignatureText),
    until: z.nullish(SignatureText),
  }),
)

/**
 * Methods that send, simulate and find transactions.
 *
 * 1. `sendTransaction` verifies every signature (-32003), simulates unless told not to (-32002 with logs), then
 *    executes.
 * 2. With `skipPreflight`, a transaction that fails before a program runs disappears, as on a cluster. Its signature is
 *    returned anyway.
 * 3. A transaction is visible at the commitment it has reached; the default is `finalized`, as on a cluster.
 */
function transactionMethods(ledger: SolanaLedger, inContext: (value: unknown) => unknown): [string, Method][] {
  const decode = (text: string, encoding: 'base58' | 'base64') => readTransaction(ledger, text, encoding)
  const visible = (landed: Landed | undefined, wanted: (typeof commitments)[number]) =>
    landed !== undefined && reaches(ledger.commitmentOf(landed), wanted) ? landed : null

  return [
    [
      'sendTransaction',
      method(z.tuple([z.string(), z._default(SendConfig, null)]), ([text, config]) => {
        const decoded = decode(text, config?.encoding ?? 'base58')
        const signature = decoded.signatures[0]
        if (signature === undefined || !isFullySigned(decoded))
          throw new RpcError(-32003, 'Transaction signature verification failure')
        const simulated = ledger.simulate(decoded, { sigVerify: true, anyBlockhash: false })
        if (simulated.failure === 'SignatureFailure')
          throw new RpcError(-32003, 'Transaction signature verification failure')
        if (config?.skipPreflight !== true && simulated.failure !== null)
          throw new RpcError(
            -32002,
            `Transaction simulation failed: ${describeFailure(simulated.failure)}`,
            simulationView(simulated, null),
          )
        ledger.execute(decoded)
        return signature
      }),
    ],
    [
      'simulateTransaction',
      method(z.tuple([z.string(), z._default(SimulateConfig, null)]), ([text, config]) => {
        const decoded = decode(text, config?.encoding ?? 'base58')
        const anyBlockhash = config?.replaceRecentBlockhash === true
        const simulated = ledger.simulate(decoded, { sigVerify: config?.sigVerify === true, anyBlockhash })
        const { addresses, encoding } = config?.accounts ?? { addresses: null, encoding: undefined }
        const accounts =
          addresses?.map((one) => {
            const address = toAddress(one)
            return accountView(ledger.svm, address, encoding ?? 'base64', { known: simulated.after.get(address) })
          }) ?? null
        const view = simulationView(simulated, anyBlockhash ? ledger.latestBlockhash() : null)
        return inContext(simulated.failure === null ? { ...view, accounts } : view)
      }),
    ],
    [
      'getSignatureStatuses',
      method(z.tuple([z.array(SignatureText).check(z.maxLength(256))], z.unknown()), ([signatures]) =>
        inContext(
          signatures.map((signature) => {
            const landed = ledger.landed(signature)
            return landed === undefined ? null : statusOf(ledger, landed)
          }),
        ),
      ),
    ],
    [
      'getTransaction',
      method(z.tuple([SignatureText, z._default(TransactionConfig, null)]), ([signature, configOrNull]) => {
        const config = typeof configOrNull === 'string' ? { encoding: configOrNull } : (configOrNull ?? {})
        const landed = visible(
          ledger.landed(signature),
          ('commitment' in config ? config.commitment : undefined) ?? 'finalized',
        )
        const version = 'maxSupportedTransactionVersion' in config ? config.maxSupportedTransactionVersion : undefined
        return landed === null ? null : landedView(landed, config.encoding ?? 'json', version)
      }),
    ],
    [
      'getSignaturesForAddress',
      method(z.tuple([AddressText, z._default(HistoryConfig, null)]), ([address, config]) => {
        const all = ledger
          .landedOf(address)
          .filter((landed) => visible(landed, config?.commitment ?? 'finalized') !== null)
        // Only the position in the history matters, not accounts. An unknown signature precedes everything.
        const orderOf = (signature: string) => ledger.landed(signature)?.order ?? -1
        const before = config?.before ? orderOf(config.before) : Number.POSITIVE_INFINITY
        const until = config?.until ? orderOf(config.until) : -1
        return all
          .filter(({ order }) => order < before && order > until)
          .slice(0, config?.limit ?? 1_000)
          .map((landed) => ({
            signature: landed.signature,
            slot: landed.slot,
            err: landed.failure,
            memo: null,
            blockTime: landed.blockTime,
            confirmationStatus: ledger.commitmentOf(landed),
          }))
      }),
    ],
  ]
}

function statusOf(ledger: SolanaLedger, landed: Landed) {
  const confirmationStatus = ledger.commitmentOf(landed)
  return {
    slot: landed.slot,
    confirmations: confirmationStatus === 'finalized' ? null : ledger.slot() - landed.slot,
    err: landed.failure,
    status: landed.failure === null ? { Ok: null } : { Err: landed.failure },
    confirmationStatus,
  }
}

function simulationView({ meta, failure }: Outcome, replacementBlockhash: unknown) {
  return {
    err: failure,
    logs: meta.logs(),
    accounts: null,
    unitsConsumed: meta.computeUnitsConsumed(),
    returnData: null,
    innerInstructions: null,
    replacementBlockhash,
    ...returnDataView(meta),
  }
}

const isFullySigned = ({ transaction }: DecodedTransaction) =>
  Object.values(transaction.signatures).every((signature) => signature?.some((byte) => byte !== 0) === true)

function readTransaction(ledger: SolanaLedger, text: string, encoding: 'base58' | 'base64'): DecodedTransaction {
  const wire = readBytes(text, encoding)
  // The size of a UDP packet.
  if (wire.length > 1232) throw invalidParams(`decoded transaction too large: ${wire.length} bytes (max: 1232 bytes)`)
  try {
    return ledger.decode(wire)
  } catch (cause) {
    throw invalidParams(`failed to deserialize the transaction: ${cause instanceof Error ? cause.message : 'unknown'}`)
  }
}

function readMessage(text: string) {
  try {
    return getCompiledTransactionMessageDecoder().decode(readBytes(text, 'base64'))
  } catch (cause) {
    if (cause instanceof RpcError) throw cause
    throw invalidParams('failed to deserialize the message')
  }
}

function readBytes(text: string, encoding: 'base58' | 'base64'): Uint8Array {
  // Decoding base58 takes quadratic time.
  if (text.length > 2_048) throw invalidParams('the transaction is too large')
  try {
    return (encoding === 'base58' ? base58 : base64).decode(text)
  } catch {
    throw invalidParams(`invalid ${encoding} encoding`)
  }
}
