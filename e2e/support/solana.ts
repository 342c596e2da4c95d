/** The devnet's Solana chain as an outsider reads it, and dapp-style transactions. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import {
  Connection,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { solanaAccount } from '../../packages/devnet/src/solana/accounts'

const chain = new Connection('http://127.0.0.1:8547', { wsEndpoint: 'ws://127.0.0.1:8548', commitment: 'confirmed' })

export const solanaAddress = (account: number): string => solanaAccount(account).address

export const newSolanaAddress = (): string => base58.encode(ed25519.getPublicKey(ed25519.utils.randomSecretKey()))

export const lamports = (address: string): Promise<number> => chain.getBalance(new PublicKey(address))

export async function airdrop(address: string, amount: number): Promise<void> {
  await chain.requestAirdrop(new PublicKey(address), amount)
}

/** Null: success; undefined: unknown. */
export async function outcomeOf(signature: string): Promise<unknown> {
  const { value } = await chain.getSignatureStatuses([signature])
  return value[0] === null ? undefined : value[0]?.err
}

export function isSignedBy(account: number, message: Uint8Array, signature: string): boolean {
  return ed25519.verify(base58.decode(signature), message, solanaAccount(account).publicKey)
}

export type TransactionKind = 'legacy' | 'versioned'

/** Unsigned, in base64. */
export async function transfer(
  kind: TransactionKind,
  { from, to, amount }: { readonly from: string; readonly to: string; readonly amount: number },
): Promise<string> {
  const payer = new PublicKey(from)
  const instruction = SystemProgram.transfer({ fromPubkey: payer, toPubkey: new PublicKey(to), lamports: amount })
  const { blockhash, lastValidBlockHeight } = await chain.getLatestBlockhash()
  const wire =
    kind === 'legacy'
      ? new Transaction({ feePayer: payer, blockhash, lastValidBlockHeight })
          .add(instruction)
          .serialize({ requireAllSignatures: false, verifySignatures: false })
      : new VersionedTransaction(
          new TransactionMessage({
            payerKey: payer,
            recentBlockhash: blockhash,
            instructions: [instruction],
          }).compileToV0Message(),
        ).serialize()
  return Buffer.from(wire).toString('base64')
}

/** Of an unknown program, unsigned, in base64. */
export async function programCall(from: string, program: string, data: Uint8Array): Promise<string> {
  const payer = new PublicKey(from)
  const { blockhash } = await chain.getLatestBlockhash()
  const message = new TransactionMessage({
    payerKey: payer,
    recentBlockhash: blockhash,
    instructions: [
      new TransactionInstruction({
        programId: new PublicKey(program),
        keys: [{ pubkey: payer, isSigner: true, isWritable: true }],
        data: Buffer.from(data),
      }),
    ],
  })
  return Buffer.from(new VersionedTransaction(message.compileToV0Message()).serialize()).toString('base64')
}

/** Byte for byte, with the owner's signature. */
export function isThatSignedBy(asked: string, signed: string, owner: string): boolean {
  const [before, after] = [asked, signed].map((wire) => VersionedTransaction.deserialize(Buffer.from(wire, 'base64')))
  const message = after?.message.serialize()
  const [signature] = after?.signatures ?? []
  if (before === undefined || message === undefined || signature === undefined) return false
  if (!Buffer.from(before.message.serialize()).equals(Buffer.from(message))) return false
  return ed25519.verify(signature, message, base58.decode(owner))
}

/** As Solana wallets expect it. */
export const messageBytes = (text: string): string => base58.encode(new TextEncoder().encode(text))

/** Like a dapp that only requested the signature. */
export const sendSigned = (wire: string): Promise<string> => chain.sendRawTransaction(Buffer.from(wire, 'base64'))
