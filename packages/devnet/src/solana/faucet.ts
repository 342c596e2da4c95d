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

/** Far from accounts that people and tests use. */
const faucetIndex = 99
export const faucetAccount = () => solanaAccount(faucetIndex)
const systemProgram = toAddress('11111111111111111111111111111111')

/** Call once, before use. Throws on failure. */
export function fillFaucet({ svm }: SolanaLedger): void {
  svm.airdrop(toAddress(faucetAccount().address), toLamports(900_000n * 10n ** 9n))
}

/** Returns the signature. */
export function payFromFaucet(ledger: SolanaLedger, to: Address, lamports: bigint): string {
  return sendFromFaucet(ledger, [transferInstruction(toAddress(faucetAccount().address), to, lamports)])
}

/** The faucet signs and pays. Returns the signature. */
export function sendFromFaucet(ledger: SolanaLedger, instructions: readonly Instruction[]): string {
  const wire = signedBy(faucetAccount(), instructions, ledger.latestBlockhash())
  const decoded = ledger.decode(wire)
  const { failure } = ledger.execute(decoded)
  // Identical transfers within a slot are one transaction.
  if (failure === 'AlreadyProcessed') {
    ledger.advance(1)
    return sendFromFaucet(ledger, instructions)
  }
  if (failure !== null) throw new RpcError(-32603, `The faucet could not pay: ${describeFailure(failure)}`)
  return decoded.signatures[0] ?? ''
}

type Lifetime = { readonly blockhash: string; readonly lastValidBlockHeight: bigint }

export const signedTransfer = (from: SolanaAccount, to: Address, lamports: bigint, lifetime: Lifetime): Uint8Array =>
  signedBy(from, [transferInstruction(toAddress(from.address), to, lamports)], lifetime)

/** `from` alone signs and pays. */
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

/** The number 2, then lamports, little-endian. */
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
