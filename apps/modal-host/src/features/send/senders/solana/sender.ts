import { askNode } from '@postern/chains/nodes/ask-node'
import { feeOf, type TransferFee } from '@postern/chains/solana/token-account'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import { atLeastZero, type Draft, type Quote, type Sender } from '../sender'
import { limitFor, priorityFee, simulatedUnits } from './compute'
import { confirmed, readSolanaFacts, type SolanaFacts } from './facts'

/** Lamports per signature. Source: https://solana.com/docs/core/fees */
const signatureFee = 5_000n

/**
 * Sends on Solana.
 *
 * 1. The system program moves lamports; `TransferChecked` moves tokens, and the chain rejects it if the decimals
 *    differ.
 * 2. The sender pays the rent of a recipient's new token account, which is shown.
 * 3. The rent of the sender's account is reserved with the fee.
 * 4. A new recipient must get at least the rent of an account; the chain rejects less.
 * 5. Programs and token accounts are rejected as recipients: the amount would be lost. So is a token account with
 *    another owner.
 * 6. The transfer spends from the fullest token account that is not frozen.
 * 7. With a transfer fee (Token-2022) the instruction names it, and the chain rejects any other.
 * 8. What the chain would reject is rejected first: non-transferable or paused tokens, transfer hooks, frozen accounts,
 *    and accounts that require a memo or accept only confidential transfers.
 * 9. The compute limit is a simulation's use plus a fifth, at a price of recent blocks. The quoted fee includes that
 *    priority fee, which is never above the quote and at most 0.0001 SOL.
 */
export const sender: Sender = {
  async prepare(draft, money, signal) {
    const client = money.client(draft.network.caipNetworkId)
    const facts = await readSolanaFacts(draft, client, signal)
    const fee = facts.tokens?.fee ?? null
    return {
      quote: (amount) => solanaQuote(facts, amount),
      ...(fee !== null && { preFeeAmount: (received) => preFeeAmount(fee, received) }),
      async request(amount, _choice, ended) {
        const { value } = await askNode(client.rpc, Blockhash, 'getLatestBlockhash', [confirmed], ended)
        const { address: pubkey } = draft.account
        const write = await writer(draft, facts, amount, value.blockhash)
        const used = await simulatedUnits(client.rpc, write(facts.compute.ceiling, facts.compute.price), ended)
        const { units, price } = limitFor(used, facts.compute)
        const transaction = write(units, price)
        return {
          method: 'solana_signAndSendTransaction',
          params: { transaction, pubkey, network: draft.network.caipNetworkId },
        }
      },
    }
  },
}

const Blockhash = z.object({
  value: z.object({ blockhash: z.string().check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)) }),
})

/** `amount` null: the whole balance. */
export function solanaQuote(facts: SolanaFacts, amount: bigint | null): Quote {
  const { native, emptyRent, recipient, tokens, compute } = facts
  const total = signatureFee + priorityFee(compute.ceiling, compute.price)
  const deposit = tokens?.rent ?? 0n
  const max = tokens === null ? atLeastZero(native - total - emptyRent) : tokens.balance
  const { fee = null, obstacle = null, refusal = null, canBeTakenBack = false } = tokens ?? {}
  const minAmount = fee === null ? 1n : preFeeAmount(fee, 1n)
  return {
    balance: tokens === null ? native : tokens.balance,
    max,
    min: tokens === null && recipient === 'new' ? emptyRent : minAmount,
    fee: total,
    maxFee: null,
    deposit,
    native,
    needed: tokens === null ? 0n : total + deposit + emptyRent,
    refusal: recipient === 'program' || recipient === 'tokenAccount' ? recipient : refusal,
    wouldFail: false,
    rates: null,
    ...(obstacle !== null && { obstacle }),
    ...(fee !== null && { withheld: feeOf(fee, amount ?? max) }),
    ...(canBeTakenBack && { canBeTakenBack }),
  }
}

/**
 * The smallest amount that leaves `received` after the fee: `calculate_pre_fee_amount` of Token-2022. Zero for zero.
 */
export function preFeeAmount({ maxFee, basisPoints }: TransferFee, received: bigint): bigint {
  if (received === 0n) return 0n
  const receivedBasisPoints = 10_000n - BigInt(basisPoints)
  const withMaxFee = received + maxFee
  const withFee =
    receivedBasisPoints > 0n ? (received * 10_000n + receivedBasisPoints - 1n) / receivedBasisPoints : withMaxFee
  return withFee < withMaxFee ? withFee : withMaxFee
}

/** Builds the transfer with a compute limit. Loads `@solana/web3.js` on first use. */
async function writer(
  { account, token, to }: Draft,
  facts: SolanaFacts,
  amount: bigint,
  blockhash: string,
): Promise<(units: number, price: bigint) => string> {
  if (to === null) throw new Failure('INVALID_PARAMS')
  const { refusal, obstacle } = solanaQuote(facts, amount)
  if (refusal !== null || obstacle !== undefined) throw new Failure('INVALID_PARAMS')
  const { limitCompute, openAccount, transferLamports, transferTokens, writeTransaction } = await import(
    '@postern/chains/solana/transfer'
  )
  const owner = account.address
  const { tokens } = facts
  if (tokens === null) {
    const transfer = transferLamports(owner, to, amount)
    return (units, price) => writeTransaction(owner, blockhash, [...limitCompute(units, price), transfer])
  }
  const { address: mint, decimals } = token
  const { program, source, destination, rent, fee } = tokens
  if (mint === null || destination === null) throw new Failure('INVALID_PARAMS')
  const withheld = fee === null ? null : feeOf(fee, amount)
  const transfer = transferTokens({ program, mint, source, destination, owner, amount, decimals, withheld })
  const opening = rent > 0n ? [openAccount(owner, to, mint, program)] : []
  return (units, price) => writeTransaction(owner, blockhash, [...limitCompute(units, price), ...opening, transfer])
}
