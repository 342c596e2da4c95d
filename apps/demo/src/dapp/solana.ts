/** Solana's library loads on the first click. */
import type { Postern } from '@postern/client'
import { connectionView, mainAddress } from './connections'
import { member } from './namespaces'
import type { Action, Line } from './outcome'

/** In ms. */
const interval = 500
const timeout = 60_000

function account(postern: Postern): string {
  const address = mainAddress(connectionView(postern.getSnapshot(), 'solana'))
  if (address === null) throw new Error('Connect a Solana wallet first.')
  return address
}

/** Verifies the signature if the browser supports Ed25519. */
export const signSolanaMessage =
  (postern: Postern, message: string): Action =>
  async (report) => {
    const address = account(postern)
    if (message.trim() === '') throw new Error('Write a message first.')
    const bytes = new TextEncoder().encode(message)
    const { signature } = await postern.solana.signMessage(bytes)
    const kit = await import('@solana/kit')
    const lines: Line[] = [
      { label: 'Signature', value: kit.getBase58Decoder().decode(signature) },
      { label: 'Signer', value: address },
    ]
    const key = await kit.getPublicKeyFromAddress(kit.address(address))
    const valid = await kit.verifySignature(key, kit.signatureBytes(signature), bytes)
    report(
      valid
        ? { kind: 'done', text: 'Signed, and the signature is valid.', lines }
        : { kind: 'failed', text: 'The signature does not belong to this account.', lines },
    )
  }

/** A version 0 transaction. `amount` is in SOL, as typed. */
export const sendSol =
  (postern: Postern, to: string, amount: string): Action =>
  async (report) => {
    const from = account(postern)
    const kit = await import('@solana/kit')
    if (!kit.isAddress(to)) throw new Error('The receiver is not an address.')
    const wire = await transferWire(postern, kit, { from: kit.address(from), to, lamports: lamportsOf(amount) })
    const { signature } = await postern.solana.signAndSendTransaction(wire)
    const sent: Line = { label: 'Transaction', value: signature }
    report({ kind: 'busy', text: 'Sent. Waiting for the network.', lines: [sent] })
    report({ kind: 'done', text: await confirmed(postern, signature), lines: [sent] })
  }

/** The wallet only signs; the network's endpoint sends. */
export const signThenSendSol =
  (postern: Postern, to: string, amount: string): Action =>
  async (report) => {
    const from = account(postern)
    const kit = await import('@solana/kit')
    if (!kit.isAddress(to)) throw new Error('The receiver is not an address.')
    const wire = await transferWire(postern, kit, { from: kit.address(from), to, lamports: lamportsOf(amount) })
    const signed = await postern.solana.signTransaction(wire)
    const params = [kit.getBase64Decoder().decode(signed), { encoding: 'base64' }]
    const signature = `${await postern.solana.request({ method: 'sendTransaction', params })}`
    const sent: Line = { label: 'Transaction', value: signature }
    report({ kind: 'busy', text: 'Signed and sent. Waiting for the network.', lines: [sent] })
    report({ kind: 'done', text: await confirmed(postern, signature), lines: [sent] })
  }

type Kit = typeof import('@solana/kit')
type Transfer = {
  readonly from: ReturnType<Kit['address']>
  readonly to: ReturnType<Kit['address']>
  readonly lamports: bigint
}

async function transferWire(postern: Postern, kit: Kit, { from, to, lamports }: Transfer): Promise<Uint8Array> {
  const latest = member(
    await postern.solana.request({ method: 'getLatestBlockhash', params: [{ commitment: 'confirmed' }] }),
    'value',
  )
  const lifetime = {
    blockhash: kit.blockhash(`${member(latest, 'blockhash')}`),
    lastValidBlockHeight: BigInt(`${member(latest, 'lastValidBlockHeight')}`),
  }
  // SystemInstruction::Transfer: 2 as u32, then lamports as u64, little-endian.
  const data = new Uint8Array(12)
  const view = new DataView(data.buffer)
  view.setUint32(0, 2, true)
  view.setBigUint64(4, lamports, true)
  const instruction = {
    programAddress: kit.address('11111111111111111111111111111111'),
    accounts: [
      { address: from, role: kit.AccountRole.WRITABLE_SIGNER },
      { address: to, role: kit.AccountRole.WRITABLE },
    ],
    data,
  }
  const message = kit.pipe(
    kit.createTransactionMessage({ version: 0 }),
    (empty) => kit.setTransactionMessageFeePayer(from, empty),
    (paid) => kit.setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) => kit.appendTransactionMessageInstruction(instruction, timed),
  )
  return Uint8Array.from(kit.getTransactionEncoder().encode(kit.compileTransaction(message)))
}

function lamportsOf(amount: string): bigint {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d{1,9}))?$/.exec(amount) ?? []
  if (whole === undefined) throw new Error('The amount is not a number of SOL.')
  return BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'))
}

async function confirmed(postern: Postern, signature: string): Promise<string> {
  for (const started = Date.now(); Date.now() - started < timeout; ) {
    const answer = await postern.solana.request({ method: 'getSignatureStatuses', params: [[signature]] })
    const statuses = member(answer, 'value')
    const status: unknown = Array.isArray(statuses) ? statuses[0] : undefined
    const reached = member(status, 'confirmationStatus')
    if (reached === 'confirmed' || reached === 'finalized') {
      if (member(status, 'err') !== null) throw new Error('The transaction failed on the chain.')
      return `Confirmed in slot ${member(status, 'slot')}.`
    }
    await new Promise((resolve) => setTimeout(resolve, interval))
  }
  throw new Error('The network did not confirm the transaction in time.')
}
