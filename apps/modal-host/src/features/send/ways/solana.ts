import { askNode } from '@postern/chains/ask-node'
import { feeOf, type TransferFee } from '@postern/chains/solana/token-account'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import { confirmed, readSolanaFacts, type SolanaFacts } from './solana-facts'
import { type Instruction, openAccount, transferLamports, transferTokens, writeTransaction } from './solana-wire'
import { atLeastZero, type Draft, type Quote, type SendWay } from './way'

/** Of one signature. Source: https://solana.com/docs/core/fees */
const signatureFee = 5_000n

/**
 * 1. Lamports by the system program; tokens of both token programs by `TransferChecked`, which the chain refuses where the decimals are others.
 * 2. A recipient without an account of the token gets one: the sender pays its rent, which is shown.
 * 3. The sender's own account is never emptied so far that the chain would not keep it: its rent is held back with the fee.
 * 4. A new recipient must get at least the rent of an account; less the chain refuses.
 * 5. Programs and token accounts are no recipients: what is sent there is lost. Nor is an account that changed hands.
 * 6. One account of the token is spent from, the fullest one that is not frozen: `balance` is what is in that.
 * 7. Where the mint keeps something back of a transfer (Token-2022), it is told how much, and the chain refuses to take another amount.
 * 8. What the chain would refuse for what the mint or an account of it says is refused before anybody is asked: a token that stays where it is, that is paused or
 *    has a program of its own look at each transfer; accounts that are frozen, or take nothing without a memo or nothing but confidential transfers.
 */
export const way: SendWay = {
  async open(draft, money, signal) {
    const client = money.client(draft.network.caipNetworkId)
    const facts = await readSolanaFacts(draft, client, signal)
    const fee = facts.tokens?.fee ?? null
    return {
      quote: (amount) => solanaQuote(facts, amount),
      ...(fee !== null && { leavingFor: (arriving) => leavingFor(fee, arriving) }),
      async question(amount, _choice, ended) {
        const { value } = await askNode(client.rpc, Blockhash, 'getLatestBlockhash', [confirmed], ended)
        const transaction = writeTransaction(
          draft.account.address,
          value.blockhash,
          instructionsOf(draft, facts, amount),
        )
        const { address: pubkey } = draft.account
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

/** Without an amount it is about all that there is. */
export function solanaQuote({ native, emptyRent, recipient, tokens }: SolanaFacts, amount: bigint | null): Quote {
  const deposit = tokens?.rent ?? 0n
  const max = tokens === null ? atLeastZero(native - signatureFee - emptyRent) : tokens.balance
  const { fee = null, obstacle = null, refusal = null, canBeTakenBack = false } = tokens ?? {}
  const leastUnits = fee === null ? 1n : leavingFor(fee, 1n)
  return {
    balance: tokens === null ? native : tokens.balance,
    max,
    least: tokens === null && recipient === 'new' ? emptyRent : leastUnits,
    fee: signatureFee,
    atMost: null,
    deposit,
    native,
    needed: tokens === null ? 0n : signatureFee + deposit + emptyRent,
    refusal: recipient === 'program' || recipient === 'tokenAccount' ? recipient : refusal,
    wouldFail: false,
    rates: null,
    ...(obstacle !== null && { obstacle }),
    ...(fee !== null && { withheld: feeOf(fee, amount ?? max) }),
    ...(canBeTakenBack && { canBeTakenBack }),
  }
}

/** The smallest amount of which so much arrives. It is just so much: one unit more that leaves is at most one more that arrives. */
export function leavingFor({ most, basisPoints }: TransferFee, arriving: bigint): bigint {
  const kept = 10_000n - BigInt(basisPoints)
  const past = arriving + most
  const share = kept > 0n ? (arriving * 10_000n + kept - 1n) / kept : past
  return share < past ? share : past
}

export function instructionsOf(
  { account, token, to }: Draft,
  facts: SolanaFacts,
  amount: bigint,
): readonly Instruction[] {
  if (to === null) throw new Failure('INVALID_PARAMS')
  const { refusal, obstacle } = solanaQuote(facts, amount)
  if (refusal !== null || obstacle !== undefined) throw new Failure('INVALID_PARAMS')
  const owner = account.address
  const { tokens } = facts
  if (tokens === null) return [transferLamports(owner, to, amount)]
  const { address: mint, decimals } = token
  const { program, source, destination, rent, fee } = tokens
  if (mint === null || destination === null) throw new Failure('INVALID_PARAMS')
  const withheld = fee === null ? null : feeOf(fee, amount)
  const transfer = transferTokens({ program, mint, source, destination, owner, amount, decimals, withheld })
  return rent > 0n ? [openAccount(owner, to, mint, program), transfer] : [transfer]
}
