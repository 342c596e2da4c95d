import { canonicalJson, type Recovery, shareProofText } from '@postern/protocol'
import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english'
import fc from 'fast-check'
import * as Hex from 'ox/Hex'
import * as PersonalMessage from 'ox/PersonalMessage'
import * as Secp256k1 from 'ox/Secp256k1'
import * as Signature from 'ox/Signature'
import { describe, expect, it } from 'vitest'
import type { KeySource, NewSplit } from '../contract'
import { fromBase64Url, toBase64Url } from './bytes'
import { addressesOf, keysOf } from './derive'
import { openDeviceShare } from './device-share'
import { splitEntropy, withWallet } from './shares'
import { signingWorker } from './signing-worker'

const worker = signingWorker()
const userId = 'user-1'
const gateway: Recovery = { method: 'gateway' }
const message = { kind: 'eip155.message', message: '0x68656c6c6f' } as const

async function newWallet() {
  const { addresses, split } = await worker.create({ userId })
  const source: KeySource = { device: split.device, authShare: split.authShare, addresses }
  return { addresses, split, source }
}

async function recoveryKeys(): Promise<{ readonly recovery: Recovery; readonly key: CryptoKey }> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits'])
  const publicKey = toBase64Url(new Uint8Array(await crypto.subtle.exportKey('spki', pair.publicKey)))
  const wrapped = { publicKey, wrappedKey: 'AA', salt: 'AA', memory: 65_536, passes: 3, lanes: 1 }
  return { recovery: { method: 'passphrase', ...wrapped }, key: pair.privateKey }
}

function proofHolds(
  split: NewSplit,
  address: string,
  action: 'create' | 'device' | 'recovery',
  recovery: Recovery,
): boolean {
  const { authShare, recoveryShare, proof } = split
  const text = shareProofText({ action, userId, authShare, recoveryShare, recovery: canonicalJson(recovery) })
  const payload = PersonalMessage.getSignPayload(Hex.fromString(text))
  return Secp256k1.recoverAddress({ payload, signature: Signature.fromHex(proof) }) === address.toLowerCase()
}

describe('2 of 3', () => {
  const entropies = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => new Uint8Array(bytes))

  it('any two shares rebuild the wallet', async () => {
    await fc.assert(
      fc.asyncProperty(
        entropies,
        fc.constantFrom(['device', 'auth'], ['auth', 'recovery'], ['recovery', 'device']),
        async (entropy, [one, two]) => {
          const addresses = addressesOf(await keysOf(entropy))
          const shares = await splitEntropy(entropy)
          const named = new Map(Object.entries(shares))
          const [first, second] = [named.get(one ?? ''), named.get(two ?? '')]
          if (first === undefined || second === undefined) throw new Error('No such share')
          const rebuilt = await withWallet([first, second], addresses, ({ entropy: same }) =>
            entropyToMnemonic(same, wordlist),
          )
          expect(rebuilt).toBe(entropyToMnemonic(entropy, wordlist))
          // 3. What was handed in is overwritten.
          expect([...first, ...second].every((byte) => byte === 0)).toBe(true)
        },
      ),
      { numRuns: 15 },
    )
  })

  it('one share with anything else in the other’s place is refused', async () => {
    await fc.assert(
      fc.asyncProperty(entropies, fc.uint8Array({ minLength: 17, maxLength: 17 }), async (entropy, guess) => {
        const addresses = addressesOf(await keysOf(entropy))
        const { auth } = await splitEntropy(entropy)
        await expect(withWallet([auth, new Uint8Array(guess)], addresses, () => 'opened')).rejects.toThrow('BAD_SHARES')
      }),
      { numRuns: 15 },
    )
  })

  it('two shares of two splits are refused, although each is good in its own', async () => {
    await fc.assert(
      fc.asyncProperty(entropies, async (entropy) => {
        const addresses = addressesOf(await keysOf(entropy))
        const [one, two] = [await splitEntropy(entropy), await splitEntropy(entropy)]
        await expect(withWallet([one.device, two.auth], addresses, () => 'opened')).rejects.toThrow('BAD_SHARES')
      }),
      { numRuns: 10 },
    )
  })

  it('a flipped bit in a share is refused', async () => {
    await fc.assert(
      fc.asyncProperty(entropies, fc.nat({ max: 17 * 8 - 1 }), async (entropy, bit) => {
        const addresses = addressesOf(await keysOf(entropy))
        const { device, auth } = await splitEntropy(entropy)
        const at = bit >> 3
        auth[at] = (auth[at] ?? 0) ^ (1 << (bit & 7))
        await expect(withWallet([device, auth], addresses, () => 'opened')).rejects.toThrow('BAD_SHARES')
      }),
      { numRuns: 20 },
    )
  })

  it('the same share twice is refused, and so are shares that are none', async () => {
    const { source } = await newWallet()
    for (const authShare of ['', 'AA', '!!', toBase64Url(new Uint8Array(4000))])
      await expect(worker.sign({ ...source, authShare }, message)).rejects.toThrow('BAD_SHARES')
    const device = toBase64Url(await openDeviceShare(source.device, source.addresses.eip155))
    await expect(worker.sign({ ...source, authShare: device }, message)).rejects.toThrow('BAD_SHARES')
  })
})

describe('the device share at rest', () => {
  it('opens under its own key and IV alone, and a flipped bit is noticed', async () => {
    const { source, split } = await newWallet()
    const other = (await newWallet()).split
    const flipped = new Uint8Array(split.device.bytes)
    flipped[0] = (flipped[0] ?? 0) ^ 1
    const wrong = [
      { ...split.device, bytes: flipped },
      { ...split.device, key: other.device.key },
      { ...split.device, iv: other.device.iv },
      { ...split.device, bytes: new Uint8Array(0) },
      other.device,
    ]
    for (const device of wrong)
      await expect(worker.sign({ ...source, device }, message)).rejects.toThrow('BAD_DEVICE_SHARE')
  })

  it('has a key that no script can read, and a fresh IV each time', async () => {
    const { source, split } = await newWallet()
    expect(split.device.key.extractable).toBe(false)
    const again = await worker.split(source, { userId, action: 'device', recovery: gateway })
    expect(again.device.iv).not.toEqual(split.device.iv)
    expect(again.device.key).not.toBe(split.device.key)
  })
})

describe('splits', () => {
  it('1. the new wallet signs, and proves that it made its shares', async () => {
    const { source, split, addresses } = await newWallet()
    const signature = await worker.sign(source, message)
    const payload = PersonalMessage.getSignPayload(message.message)
    const signer = Secp256k1.recoverAddress({ payload, signature: Signature.fromHex(Hex.from(hexText(signature))) })
    expect(signer).toBe(addresses.eip155.toLowerCase())
    expect(proofHolds(split, addresses.eip155, 'create', gateway)).toBe(true)
    expect(proofHolds(split, addresses.eip155, 'device', gateway)).toBe(false)
  })

  it('3. a second device recovers, has a split of its own, and neither breaks the other', async () => {
    const { source, split, addresses } = await newWallet()
    const { authShare, recoveryShare } = split
    const second = await worker.recover({ userId, authShare, recoveryShare, recovery: gateway, addresses })
    expect(proofHolds(second, addresses.eip155, 'device', gateway)).toBe(true)
    const secondSource = { device: second.device, authShare: second.authShare, addresses }
    const signatures = await Promise.all([source, secondSource].map((each) => worker.sign(each, message)))
    expect(new Set(signatures).size).toBe(1)
    await expect(worker.sign({ ...source, authShare: second.authShare }, message)).rejects.toThrow('BAD_SHARES')
  })

  it('moves the recovery share to a key of the owner’s, and back', async () => {
    const { source, addresses } = await newWallet()
    const { recovery, key } = await recoveryKeys()
    const moved = await worker.split(source, { userId, action: 'recovery', recovery })
    expect(proofHolds(moved, addresses.eip155, 'recovery', recovery)).toBe(true)
    const { authShare, recoveryShare } = moved
    const given = { userId, authShare, recoveryShare, recovery, addresses }
    const opened = await worker.recover({ ...given, recoveryKey: key })
    await expect(
      worker.sign({ device: opened.device, authShare: opened.authShare, addresses }, message),
    ).resolves.toBeTypeOf('string')

    // Without the key, with another one, for another user, or as if it were plain: nothing.
    const stranger = await recoveryKeys()
    await expect(worker.recover(given)).rejects.toThrow('BAD_RECOVERY_KEY')
    await expect(worker.recover({ ...given, recoveryKey: stranger.key })).rejects.toThrow('BAD_RECOVERY_KEY')
    await expect(worker.recover({ ...given, recoveryKey: key, userId: 'user-2' })).rejects.toThrow('BAD_RECOVERY_KEY')
    await expect(worker.recover({ ...given, recovery: gateway })).rejects.toThrow('BAD_SHARES')
    const back = await worker.split(
      { device: moved.device, authShare, addresses },
      { userId, action: 'recovery', recovery: gateway },
    )
    await expect(
      worker.recover({ ...given, authShare: back.authShare, recoveryShare: back.recoveryShare, recovery: gateway }),
    ).resolves.toHaveProperty('proof')
  })

  it('a sealed recovery share with any byte changed does not open', async () => {
    const { source, addresses } = await newWallet()
    const { recovery, key } = await recoveryKeys()
    const { authShare, recoveryShare } = await worker.split(source, { userId, action: 'recovery', recovery })
    const sealed = fromBase64Url(recoveryShare)
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: sealed.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const bytes = new Uint8Array(sealed)
        bytes[at] = (bytes[at] ?? 0) ^ change
        const given = { userId, authShare, recoveryShare: toBase64Url(bytes), recovery, recoveryKey: key, addresses }
        await expect(worker.recover(given)).rejects.toThrow('BAD_RECOVERY_KEY')
      }),
      { numRuns: 30 },
    )
  })

  it('refuses to recover another wallet than the one that was asked for', async () => {
    const [mine, theirs] = [await newWallet(), await newWallet()]
    const { authShare, recoveryShare } = theirs.split
    const given = { userId, authShare, recoveryShare, recovery: gateway, addresses: mine.addresses }
    await expect(worker.recover(given)).rejects.toThrow('BAD_SHARES')
  })
})

describe('failures', () => {
  it('4. say one word, and nothing of what was handed in', async () => {
    const { source } = await newWallet()
    const jobs = [
      {
        kind: 'bip122.psbt',
        networkId: 'bip122:000000000019d6689c085ae165831e93',
        psbt: 'nonsense',
        inputs: [{ index: 0 }],
      },
      { kind: 'solana.transactions', transactions: ['nonsense'] },
      { kind: 'eip155.typedData', json: 'nonsense' },
    ] as const
    for (const job of jobs) {
      const failure: unknown = await worker.sign(source, job).catch((cause: unknown) => cause)
      expect(failure).toMatchObject({ message: 'BAD_JOB', stack: '' })
      expect(failure).not.toHaveProperty('cause')
    }
  })
})

describe('export', () => {
  it('gives the words of this very wallet', async () => {
    const { source, addresses } = await newWallet()
    const { mnemonic, eip155 } = await worker.exportKeys(source)
    expect(mnemonic.split(' ')).toHaveLength(12)
    expect(Secp256k1.getPublicKey({ privateKey: Hex.from(hexText(eip155)) }).x).toBeTypeOf('bigint')
    expect(eip155).toMatch(/^0x[0-9a-f]{64}$/)
    const again = await newWallet()
    expect((await worker.exportKeys(again.source)).mnemonic).not.toBe(mnemonic)
    expect(again.addresses).not.toEqual(addresses)
  })
})

function hexText(text: string): `0x${string}` {
  return `0x${text.replace(/^0x/, '')}`
}
