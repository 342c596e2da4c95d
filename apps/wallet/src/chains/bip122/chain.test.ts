import { regtest, testEsplora, testKey } from '@postern/chains/bip122/testing/test-chain'
import { Psbt, Transaction } from 'bitcoinjs-lib'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ChainContext, SignJob } from '../../contract'
import { testContext } from '../testing'
import { createBip122Chain } from './chain'

const owner = testKey('p2wpkh', 1)
const other = testKey('p2wpkh', 2)

let bip122 = createBip122Chain()
beforeEach(() => {
  bip122 = createBip122Chain()
})

function setUp() {
  const asked: SignJob[] = []
  const chain = testEsplora(owner, [{ value: 80_000n }, { value: 40_000n }], { '2': 3 })
  const context: ChainContext = testContext({
    networkId: regtest,
    addresses: { ...testContext({}).addresses, bip122: owner.account.publicKey ?? '' },
    sign: async (job) => {
      asked.push(job)
      return job.kind === 'bip122.psbt' ? owner.sign(job.psbt) : 'signature'
    },
    fetch: async (url, given) => {
      const { pathname, searchParams } = new URL(String(url))
      expect(searchParams.get('projectId')).toBe('demo')
      const path = pathname.slice(`/v1/esplora/${regtest}`.length)
      if (given?.method === 'POST') return new Response(await chain.esplora.post(path, String(given.body)))
      const answer = await chain.esplora.get(path).catch(() => null)
      if (answer === null) return new Response('Transaction not found', { status: 404 })
      return typeof answer === 'string' ? new Response(answer) : Response.json(answer)
    },
  })
  return { context, asked, chain }
}

/** The transaction that made a coin of 50,000 satoshis. */
function previousOf(key: typeof owner): Transaction {
  const previous = new Transaction()
  previous.addInput(new Uint8Array(32).fill(1), 0)
  previous.addOutput(key.script, 50_000n)
  return previous
}

type Claims = { readonly sighashType?: number; readonly value?: bigint; readonly isProven?: boolean }

function psbtOf(key: typeof owner, { sighashType, value = 50_000n, isProven = true }: Claims = {}): string {
  const psbt = new Psbt()
  const previous = previousOf(key)
  psbt.addInput({
    hash: previous.getId(),
    index: 0,
    witnessUtxo: { script: key.script, value },
    ...(isProven && { nonWitnessUtxo: previous.toBuffer() }),
    ...(sighashType !== undefined && { sighashType }),
  })
  psbt.addOutput({ script: other.script, value: 40_000n })
  return psbt.toBase64()
}

const input = (index = 0, address = owner.address, types?: number[]) => ({
  index,
  address,
  ...(types && { sighashTypes: types }),
})

describe('bip122', () => {
  it('formats its address for the network', async () => {
    expect(await bip122.answer('bip122_getAccountAddresses', undefined, setUp().context)).toEqual([
      { address: owner.address, publicKey: owner.account.publicKey, path: "m/84'/0'/0'/0/0", purpose: 'payment' },
    ])
  })

  it.each([
    [
      'another address signs a message',
      'bip122_signMessage',
      { address: other.address, message: 'hi' },
      'UNAUTHORIZED',
    ],
    [
      'another address spends',
      'bip122_sendTransfer',
      { account: other.address, recipientAddress: other.address, amount: '1000' },
      'UNAUTHORIZED',
    ],
    [
      'another address signs an input',
      'bip122_signPsbt',
      { psbt: psbtOf(owner), signInputs: [input(0, other.address)] },
      'UNAUTHORIZED',
    ],
    [
      'an input belongs to another key',
      'bip122_signPsbt',
      { psbt: psbtOf(other), signInputs: [input()] },
      'INVALID_PARAMS',
    ],
    ['an input is not there', 'bip122_signPsbt', { psbt: psbtOf(owner), signInputs: [input(1)] }, 'INVALID_PARAMS'],
    ['no input is named', 'bip122_signPsbt', { psbt: psbtOf(owner), signInputs: [] }, 'INVALID_PARAMS'],
    ['it is no PSBT', 'bip122_signPsbt', { psbt: 'AAAA', signInputs: [input()] }, 'INVALID_PARAMS'],
    [
      'the signature type does not exist',
      'bip122_signPsbt',
      { psbt: psbtOf(owner, { sighashType: 0x41 }), signInputs: [input()] },
      'INVALID_PARAMS',
    ],
    [
      'the kind of signature is another than allowed',
      'bip122_signPsbt',
      { psbt: psbtOf(owner, { sighashType: 0x02 }), signInputs: [input(0, owner.address, [1])] },
      'INVALID_PARAMS',
    ],
  ])('rejects if %s', async (_name, method, params, code) => {
    await expect(bip122.prepare(method, params, setUp().context)).rejects.toMatchObject({ code })
  })

  it('5. adds the transaction that made a coin, and refuses to sign an unproven value', async () => {
    const params = { psbt: psbtOf(owner, { isProven: false }), signInputs: [input()] }
    const { context } = setUp()
    await expect(bip122.prepare('bip122_signPsbt', params, context)).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining('input 0 is not proven'),
    })
    const previous = previousOf(owner)
    const fetch = async (url: unknown) => {
      expect(String(url)).toContain(`/tx/${previous.getId()}/hex`)
      return new Response(previous.toHex())
    }
    const { subject } = await bip122.prepare('bip122_signPsbt', params, { ...context, fetch })
    if (subject.kind !== 'bip122.psbt') throw new Error('no PSBT')
    const [proven] = Psbt.fromBase64(subject.psbt).data.inputs
    expect(Buffer.from(proven?.nonWitnessUtxo ?? []).toString('hex')).toBe(previous.toHex())
  })

  it.each([true, false])(
    '5. refuses a coin whose claimed value is false (proof in the request: %s)',
    async (isProven) => {
      const params = { psbt: psbtOf(owner, { value: 1_000n, isProven }), signInputs: [input()] }
      const fetch = async () => new Response(previousOf(owner).toHex())
      await expect(bip122.prepare('bip122_signPsbt', params, { ...setUp().context, fetch })).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
        message: 'Input 0 claims another value than its coin has',
      })
    },
  )

  it('5. looks up the coin of an input that claims to be taproot', async () => {
    const taproot = Uint8Array.from([0x51, 0x20, ...new Uint8Array(32).fill(7)])
    const hidden = new Transaction()
    hidden.addInput(new Uint8Array(32).fill(2), 0)
    hidden.addOutput(owner.script, 50_000n)
    const psbt = Psbt.fromBase64(psbtOf(owner))
    psbt.addInput({ hash: hidden.getId(), index: 0, witnessUtxo: { script: taproot, value: 50_000n } })
    const params = { psbt: psbt.toBase64(), signInputs: [input()] }
    const fetch = async () => new Response(hidden.toHex())
    const { subject } = await bip122.prepare('bip122_signPsbt', params, { ...setUp().context, fetch })
    if (subject.kind !== 'bip122.psbt') throw new Error('no PSBT')
    const [, proven] = Psbt.fromBase64(subject.psbt).data.inputs
    expect(Buffer.from(proven?.nonWitnessUtxo ?? []).toString('hex')).toBe(hidden.toHex())
  })

  it('5. looks up the coins to sign first', async () => {
    const own = previousOf(owner)
    const psbt = new Psbt()
    for (let index = 0; index < 64; index += 1) psbt.addInput({ hash: new Uint8Array(32).fill(9), index })
    psbt.addInput({ hash: own.getId(), index: 0, witnessUtxo: { script: owner.script, value: 50_000n } })
    psbt.addOutput({ script: other.script, value: 40_000n })
    const params = { psbt: psbt.toBase64(), signInputs: [input(64)] }
    const fetch = async () => new Response(own.toHex())
    const { subject } = await bip122.prepare('bip122_signPsbt', params, { ...setUp().context, fetch })
    if (subject.kind !== 'bip122.psbt') throw new Error('no PSBT')
    expect(Psbt.fromBase64(subject.psbt).data.inputs[64]?.nonWitnessUtxo).toBeDefined()
  })

  it('2. reports the sighash type', async () => {
    for (const sighash of [0x01, 0x03, 0x81, 0x83]) {
      const params = { psbt: psbtOf(owner, { sighashType: sighash }), signInputs: [input()] }
      const { subject } = await bip122.prepare('bip122_signPsbt', params, setUp().context)
      expect(subject).toMatchObject({ inputs: [{ index: 0, sighash }], sends: false })
    }
  })

  it.each([0x02, 0x82])('2. rejects a sighash type that signs no output (%#)', async (sighash) => {
    const params = { psbt: psbtOf(owner, { sighashType: sighash }), signInputs: [input()] }
    await expect(bip122.prepare('bip122_signPsbt', params, setUp().context)).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    })
  })

  it('3. builds the whole transfer before approval, and sends that', async () => {
    const { context, asked, chain } = setUp()
    const params = { recipientAddress: other.address, amount: '50000' }
    const { subject } = await bip122.prepare('bip122_sendTransfer', params, context)
    if (subject.kind !== 'bip122.psbt') throw new Error('no PSBT')
    expect(asked).toEqual([])
    const [paid] = Psbt.fromBase64(subject.psbt).txOutputs
    expect(paid).toMatchObject({ value: 50_000n, script: other.script })
    expect(await bip122.execute('bip122_sendTransfer', subject, context)).toEqual({
      txid: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(asked).toMatchObject([{ kind: 'bip122.psbt', psbt: subject.psbt, networkId: regtest }])
    expect(chain.sent).toHaveLength(1)
  })

  it('4. blocks a sign-in for another domain', async () => {
    const params = { address: owner.address, message: `evil.example wants you to sign in with your Bitcoin account:\n` }
    expect(await bip122.prepare('bip122_signMessage', params, setUp().context)).toMatchObject({
      blocked: 'DOMAIN_MISMATCH',
    })
  })

  it('5. sends nothing if the signer changed it', async () => {
    const { context, chain } = setUp()
    const params = { recipientAddress: other.address, amount: '50000' }
    const { subject } = await bip122.prepare('bip122_sendTransfer', params, context)
    const sign = async () => owner.sign(psbtOf(owner))
    await expect(bip122.execute('bip122_sendTransfer', subject, { ...context, sign })).rejects.toMatchObject({
      code: 'TRANSACTION_MISMATCH',
    })
    expect(chain.sent).toEqual([])
  })
})
