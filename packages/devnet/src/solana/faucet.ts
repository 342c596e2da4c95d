/** The keypair that airdrops come from, by transactions like any other. */
import {
  type Address,
  appendTransactionMessageInstructions,
  assertIsSignatureBytes,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  blockhash as toBlockhash,
  lamports as toLamports,
} from '@solana/kit'
import { type SolanaAccount, solanaAccount } from './accounts'
import type { SolanaLedger } from './ledger'
import { toAddress } from './ledger'
import { describeFailure } from './transaction-error'
import { RpcError } from './wire'

/** Far from the accounts that people and tests use. */
const faucetIndex = 99
export const faucetAccount = () => solanaAccount(faucetIndex)
const systemProgram = toAddress('11111111111111111111111111111111')

/** Once, before the faucet is used. Throws when there is no money to be made. */
export function fillFaucet({ svm }: SolanaLedger): void {
  svm.airdrop(toAddress(faucetAccount().address), toLamports(900_000n * 10n ** 9n))
}

/** Answers with the signature. `lamports` is what arrives. */
export function payFromFaucet(ledger: SolanaLedger, to: Address, lamports: bigint): string {
  return sendFromFaucet(ledger, [transferInstruction(toAddress(faucetAccount().address), to, lamports)])
}

/** Answers with the signature of a transaction that the faucet signs and pays for. */
export function sendFromFaucet(ledger: SolanaLedger, instructions: readonly Instruction[]): string {
  const wire = signedBy(faucetAccount(), instructions, ledger.latestBlockhash())
  const decoded = ledger.decode(wire)
  const { failure } = ledger.execute(decoded)
  // Two gifts of one size to one account within a slot are one transaction.
  if (failure === 'AlreadyProcessed') {
    ledger.advance(1)
    return sendFromFaucet(ledger, instructions)
  }
  if (failure !== null) throw new RpcError(-32603, `The faucet could not pay: ${describeFailure(failure)}`)
  return decoded.signatures[0] ?? ''
}

type Lifetime = { readonly blockhash: string; readonly lastValidBlockHeight: bigint }

/** The wire form of a signed v0 transfer of lamports. */
export const signedTransfer = (from: SolanaAccount, to: Address, lamports: bigint, lifetime: Lifetime): Uint8Array =>
  signedBy(from, [transferInstruction(toAddress(from.address), to, lamports)], lifetime)

/** The wire form of a v0 transaction that `from` pays for and signs alone. */
export function signedBy(from: SolanaAccount, instructions: readonly Instruction[], lifetime: Lifetime): Uint8Array {
  const payer = toAddress(from.address)
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(payer, empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: toBlockhash(lifetime.blockhash), lastValidBlockHeight: lifetime.lastValidBlockHeight },
        paid,
      ),
    (timed) => appendTransactionMessageInstructions(instructions, timed),
  )
  const compiled = compileTransaction(message)
  const signature = from.sign(Uint8Array.from(compiled.messageBytes))
  assertIsSignatureBytes(signature)
  return Uint8Array.from(getTransactionEncoder().encode({ ...compiled, signatures: { [payer]: signature } }))
}

/** SystemInstruction::Transfer: the number 2, then lamports, little-endian. */
function transferInstruction(from: Address, to: Address, lamports: bigint): Instruction {
  const data = new Uint8Array(12)
  const view = new DataView(data.buffer)
  view.setUint32(0, 2, true)
  view.setBigUint64(4, lamports, true)
  return {
    programAddress: systemProgram,
    accounts: [
      { address: from, role: 3 },
      { address: to, role: 1 },
    ],
    data,
  }
}
