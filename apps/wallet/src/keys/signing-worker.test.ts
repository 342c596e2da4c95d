import {
  addressProofText,
  canonicalJson,
  Recovery,
  recoveryProofText,
  replacementText,
  shareProofText,
  walletEndText,
} from '@postern/protocol'
import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english'
import fc from 'fast-check'
import * as Hex from 'ox/Hex'
import * as PersonalMessage from 'ox/PersonalMessage'
import * as Secp256k1 from 'ox/Secp256k1'
import * as Signature from 'ox/Signature'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { KeySource, NewSplit, ProvenRecovery } from '../contract'
import { fromBase64Url, toBase64Url } from './bytes'
import { addressesOf, keysOf } from './derive'
import { openDeviceShare } from './device-share'
import { splitEntropy, withWallet } from './shares'
import { signingWorker } from './signing-worker'

const worker = signingWorker()
const userId = 'user-1'
const gateway: Recovery = { method: 'gateway' }
const untouched: ProvenRecovery = { recovery: gateway, recoveryProof: null }
const message = { kind: 'eip155.message', message: '0x68656c6c6f' } as const

async function newWallet() {
  const { addresses, split } = await worker.create({ userId, recovery: { method: 'gateway' } })
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

describe('a new wallet for a passkey or passphrase', () => {
  it('4. signs the choice, and its recovery share opens only with the user’s key', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme-ascii' }), async (user) => {
        const { recovery, key } = await recoveryKeys()
        const { addresses, recoveryProof, split } = await worker.create({ userId: user, recovery })
        expect(recoveryProof?.generation).toBe(1)
        const { authShare, recoveryShare } = split
        const given = { userId: user, authShare, recoveryShare, addresses, chosen: { recovery, recoveryProof } }
        const recovered = await worker.recover({ ...given, recoveryKey: key })
        expect(recovered.device.binding?.generation).toBe(1)
        // The gateway, which has both shares and every text but not the key.
        const other = await recoveryKeys()
        const unsealed = { ...given, chosen: { recovery: gateway, recoveryProof: null } }
        for (const attack of [given, { ...given, recoveryKey: other.key }, unsealed])
          await expect(worker.recover(attack)).rejects.toThrow(/BAD_RECOVERY_KEY|BAD_SHARES/)
      }),
      { numRuns: 10 },
    )
  })

  it('4. has no proof and no sealed share for the gateway', async () => {
    const { recoveryProof, split } = await worker.create({ userId, recovery: gateway })
    expect(recoveryProof).toBeNull()
    expect(fromBase64Url(split.recoveryShare)).toHaveLength(17)
  })
})

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
          expect([...first, ...second].every((byte) => byte === 0)).toBe(true)
        },
      ),
      { numRuns: 15 },
    )
  })

  it('rejects one share with anything else as the other', async () => {
    await fc.assert(
      fc.asyncProperty(entropies, fc.uint8Array({ minLength: 17, maxLength: 17 }), async (entropy, guess) => {
        const addresses = addressesOf(await keysOf(entropy))
        const { auth } = await splitEntropy(entropy)
        await expect(withWallet([auth, new Uint8Array(guess)], addresses, () => 'opened')).rejects.toThrow('BAD_SHARES')
      }),
      { numRuns: 15 },
    )
  })

  it('rejects two shares of different splits, although each is valid in its own', async () => {
    await fc.assert(
      fc.asyncProperty(entropies, async (entropy) => {
        const addresses = addressesOf(await keysOf(entropy))
        const [one, two] = [await splitEntropy(entropy), await splitEntropy(entropy)]
        await expect(withWallet([one.device, two.auth], addresses, () => 'opened')).rejects.toThrow('BAD_SHARES')
      }),
      { numRuns: 10 },
    )
  })

  it('rejects a share with a flipped bit', async () => {
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

  it('rejects the same share twice, and malformed shares', async () => {
    const { source } = await newWallet()
    for (const authShare of ['', 'AA', '!!', toBase64Url(new Uint8Array(4000))])
      await expect(worker.sign({ ...source, authShare }, message)).rejects.toThrow('BAD_SHARES')
    const device = toBase64Url(await openDeviceShare(source.device, source.addresses))
    await expect(worker.sign({ ...source, authShare: device }, message)).rejects.toThrow('BAD_SHARES')
  })
})

describe('the device share at rest', () => {
  it('opens only with its own key and IV, and detects a flipped bit', async () => {
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

  it('has a non-extractable key, and a fresh IV each time', async () => {
    const { source, split } = await newWallet()
    expect(split.device.key.extractable).toBe(false)
    const again = await worker.split(source, { userId, chosen: untouched })
    expect(again.device.iv).not.toEqual(split.device.iv)
    expect(again.device.key).not.toBe(split.device.key)
  })
})

describe('splits', () => {
  it('1. the new wallet signs, and proves its shares', async () => {
    const { source, split, addresses } = await newWallet()
    const signature = await worker.sign(source, message)
    const payload = PersonalMessage.getSignPayload(message.message)
    const signer = Secp256k1.recoverAddress({ payload, signature: Signature.fromHex(Hex.from(hexText(signature))) })
    expect(signer).toBe(addresses.eip155.toLowerCase())
    expect(proofHolds(split, addresses.eip155, 'create', gateway)).toBe(true)
    expect(proofHolds(split, addresses.eip155, 'device', gateway)).toBe(false)
  })

  it('3. a second device recovers with its own split, and both keep working', async () => {
    const { source, split, addresses } = await newWallet()
    const { authShare, recoveryShare } = split
    const second = await worker.recover({ userId, authShare, recoveryShare, chosen: untouched, addresses })
    expect(proofHolds(second, addresses.eip155, 'device', gateway)).toBe(true)
    const secondSource = { device: second.device, authShare: second.authShare, addresses }
    const signatures = await Promise.all([source, secondSource].map((each) => worker.sign(each, message)))
    expect(new Set(signatures).size).toBe(1)
    await expect(worker.sign({ ...source, authShare: second.authShare }, message)).rejects.toThrow('BAD_SHARES')
  })

  it('moves the recovery share to the user’s key, and back', async () => {
    const { source, addresses } = await newWallet()
    const { recovery, key } = await recoveryKeys()
    const { split: moved, recoveryProof } = await worker.setRecovery(source, { userId, recovery, generation: 1 })
    expect(proofHolds(moved, addresses.eip155, 'recovery', recovery)).toBe(true)
    const { authShare, recoveryShare } = moved
    const chosen = { recovery, recoveryProof }
    const given = { userId, authShare, recoveryShare, chosen, addresses }
    const opened = await worker.recover({ ...given, recoveryKey: key })
    await expect(
      worker.sign({ device: opened.device, authShare: opened.authShare, addresses }, message),
    ).resolves.toBeTypeOf('string')

    // Fails without the key, with another, for another user, or as plain.
    const stranger = await recoveryKeys()
    await expect(worker.recover(given)).rejects.toThrow('BAD_RECOVERY_KEY')
    await expect(worker.recover({ ...given, recoveryKey: stranger.key })).rejects.toThrow('BAD_RECOVERY_KEY')
    await expect(worker.recover({ ...given, recoveryKey: key, userId: 'user-2' })).rejects.toThrow('BAD_RECOVERY_KEY')
    await expect(worker.recover({ ...given, chosen: untouched })).rejects.toThrow('BAD_SHARES')
    const { split: back, recoveryProof: second } = await worker.setRecovery(
      { device: moved.device, authShare, addresses },
      { userId, recovery: gateway, generation: 2 },
    )
    await expect(
      worker.recover({
        ...given,
        authShare: back.authShare,
        recoveryShare: back.recoveryShare,
        chosen: { recovery: gateway, recoveryProof: second },
      }),
    ).resolves.toHaveProperty('proof')
  })

  it('a sealed recovery share with any changed byte does not open', async () => {
    const { source, addresses } = await newWallet()
    const { recovery, key } = await recoveryKeys()
    const moved = await worker.setRecovery(source, { userId, recovery, generation: 1 })
    const { authShare, recoveryShare } = moved.split
    const chosen = { recovery, recoveryProof: moved.recoveryProof }
    const sealed = fromBase64Url(recoveryShare)
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: sealed.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const bytes = new Uint8Array(sealed)
        bytes[at] = (bytes[at] ?? 0) ^ change
        const given = { userId, authShare, recoveryShare: toBase64Url(bytes), chosen, recoveryKey: key, addresses }
        await expect(worker.recover(given)).rejects.toThrow('BAD_RECOVERY_KEY')
      }),
      { numRuns: 30 },
    )
  })

  it('rejects recovering a different wallet', async () => {
    const [mine, theirs] = [await newWallet(), await newWallet()]
    const { authShare, recoveryShare } = theirs.split
    const given = { userId, authShare, recoveryShare, chosen: untouched, addresses: mine.addresses }
    await expect(worker.recover(given)).rejects.toThrow('BAD_SHARES')
  })
})

describe('4. a recovery share is made only for the user’s choice', () => {
  async function chosenOnce() {
    const wallet = await newWallet()
    const { recovery, key } = await recoveryKeys()
    const { recoveryProof, split } = await worker.setRecovery(wallet.source, { userId, recovery, generation: 3 })
    const source: KeySource = { ...wallet.source, device: split.device, authShare: split.authShare }
    return { ...wallet, source, recovery, recoveryProof, split, key }
  }

  it('works with the gateway’s copy on another device', async () => {
    const { source, recovery, recoveryProof, key, addresses } = await chosenOnce()
    expect(recoveryProof.generation).toBe(3)
    const { authShare, recoveryShare } = await worker.split(source, { userId, chosen: { recovery, recoveryProof } })
    const given = { userId, authShare, recoveryShare, chosen: { recovery, recoveryProof }, addresses }
    await expect(worker.recover({ ...given, recoveryKey: key })).resolves.toHaveProperty('proof')
  })

  it('rejects a method that the gateway substitutes', async () => {
    const { source, recovery, recoveryProof, split } = await chosenOnce()
    const liar = await recoveryKeys()
    const { signature, generation } = recoveryProof
    const stranger = await newWallet()
    const theirs = await worker.setRecovery(stranger.source, { userId, recovery: liar.recovery, generation: 4 })
    const lies: readonly (readonly [string, ProvenRecovery])[] = [
      ['a method without a signature', { recovery: liar.recovery, recoveryProof: null }],
      ['a method that its own key signed', { recovery: liar.recovery, recoveryProof: theirs.recoveryProof }],
      ['another method under the owner’s proof', { recovery: liar.recovery, recoveryProof }],
      ['itself under the owner’s proof', { recovery: gateway, recoveryProof }],
      ['a later generation', { recovery, recoveryProof: { generation: generation + 1, signature } }],
      ['the proof of the shares', { recovery, recoveryProof: { generation, signature: split.proof } }],
      ['no signature', { recovery, recoveryProof: { generation, signature: `0x${'00'.repeat(65)}` } }],
      ['numbers out of range', { recovery, recoveryProof: { generation, signature: `0x${'ff'.repeat(65)}` } }],
    ]
    for (const [lie, chosen] of lies)
      await expect(worker.split(source, { userId, chosen }), lie).rejects.toThrow('UNPROVEN_RECOVERY')
    const chosen = { recovery, recoveryProof }
    await expect(worker.split(source, { userId: 'user-2', chosen })).rejects.toThrow('UNPROVEN_RECOVERY')
  })

  it('checks the choice on a recovering device too', async () => {
    const { split, addresses, recovery, recoveryProof, key } = await chosenOnce()
    const { authShare, recoveryShare } = split
    const given = { userId, authShare, recoveryShare, addresses, recoveryKey: key }
    await expect(worker.recover({ ...given, chosen: { recovery, recoveryProof: null } })).rejects.toThrow(
      'UNPROVEN_RECOVERY',
    )
    await expect(worker.recover({ ...given, chosen: { recovery, recoveryProof } })).resolves.toHaveProperty('proof')
  })

  it('rejects a proof or a method with a changed byte', async () => {
    const { source, recovery, recoveryProof } = await chosenOnce()
    const text = canonicalJson({ recovery, signature: recoveryProof.signature.slice(0, 130) })
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: text.length - 1 }), fc.constantFrom('0', 'a', 'B', '9'), async (at, digit) => {
        const changed = text.slice(0, at) + digit + text.slice(at + 1)
        fc.pre(changed !== text)
        const parsed = Changed.safeParse(parseOrNull(changed))
        fc.pre(parsed.success)
        const { recovery: method = recovery, signature = '' } = parsed.data ?? {}
        fc.pre(canonicalJson({ recovery: method, signature }).toLowerCase() !== text.toLowerCase())
        const chosen = { recovery: method, recoveryProof: { generation: 3, signature: `${signature}1b` } }
        await expect(worker.split(source, { userId, chosen })).rejects.toThrow('UNPROVEN_RECOVERY')
      }),
      { numRuns: 40 },
    )
  })

  it('never signs such texts, or share proofs, as a message', async () => {
    const { source } = await newWallet()
    const { recovery } = await recoveryKeys()
    const texts = [
      recoveryProofText({ userId, generation: 9, recovery: canonicalJson(recovery) }),
      shareProofText({ action: 'recovery', userId, authShare: 'AA', recoveryShare: 'AA', recovery: '{}' }),
      addressProofText({ userHash: '00', generation: 1, addresses: source.addresses }),
      replacementText({ userHash: '00', from: source.addresses, to: source.addresses }),
      walletEndText({ userHash: '00', addresses: source.addresses, end: { what: 'deleted', generation: 1, at: 1 } }),
    ]
    for (const text of texts) {
      const plain = Hex.fromString(text)
      for (const asked of [plain, hexText(plain.slice(2).toUpperCase())])
        await expect(worker.sign(source, { kind: 'eip155.message', message: asked })).rejects.toThrow('NOT_A_MESSAGE')
    }
    const harmless = { kind: 'eip155.message', message: Hex.fromString('Postern recovery is a fine thing') } as const
    await expect(worker.sign(source, harmless)).resolves.toMatch(/^0x/)
  })
})

describe('failures', () => {
  it('5. consist of one code and contain none of the input', async () => {
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
  it('returns the phrase and keys of the same wallet', async () => {
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

const Changed = z.object({ recovery: Recovery, signature: z.string().check(z.regex(/^0x[0-9a-fA-F]{128}$/)) })

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function hexText(text: string): `0x${string}` {
  return `0x${text.replace(/^0x/, '')}`
}

describe('the proof of the addresses', () => {
  it('holds for these addresses, this user and this generation only', async () => {
    const { addresses, split } = await newWallet()
    const other = await newWallet()
    const { addressProof } = split
    const given = { userId, addresses, generation: 0, addressProof }
    expect(await worker.isProven(given)).toBe(true)
    const lies = [
      { userId: 'user-2' },
      { generation: 1 },
      { generation: 1, addressProof: { ...addressProof, generation: 1 } },
      { addressProof: other.split.addressProof },
      { addressProof: { ...addressProof, signature: `0x${'0'.repeat(130)}` } },
      { addressProof: { ...addressProof, signature: '0x' } },
      { addresses: { ...addresses, eip155: other.addresses.eip155 } },
      { addresses: { ...addresses, solana: other.addresses.solana } },
      { addresses: { ...addresses, bip122: other.addresses.bip122 } },
    ]
    for (const lie of lies) expect(await worker.isProven({ ...given, ...lie })).toBe(false)
  })
})

describe('the key of a wallet', () => {
  it('says that it ended, for one user, generation and time', async () => {
    const { source, addresses } = await newWallet()
    const other = await newWallet()
    const ended = { generation: 1, at: 1_795_000_000_000 }
    const end = await worker.endDeleted(source, { userId, ended })
    expect(end).toMatchObject({ what: 'deleted', ...ended })
    const given = { userId, addresses, end }
    expect(await worker.isEnd(given)).toBe(true)
    const lies = [
      { userId: 'user-2' },
      { addresses: other.addresses },
      { addresses: { ...addresses, solana: other.addresses.solana } },
      { addresses: { ...addresses, bip122: other.addresses.bip122 } },
      { end: { ...end, generation: 2 } },
      { end: { ...end, at: 1 } },
      { end: { ...end, what: 'replaced' as const, to: other.addresses } },
      { end: { ...end, signature: `0x${'0'.repeat(130)}` } },
      { end: { ...end, signature: '0x' } },
    ]
    for (const lie of lies) expect(await worker.isEnd({ ...given, ...lie })).toBe(false)
  })
})

describe('the binding of a device share', () => {
  it('is authenticated: a changed one does not open', async () => {
    const { source, split, addresses } = await newWallet()
    const { binding } = split.device
    if (binding === undefined) throw new Error('a binding expected')
    const solana = (await newWallet()).addresses.solana
    const changed = [
      { ...binding, userId: 'user-2' },
      { ...binding, generation: 1 },
      { ...binding, addresses: { ...addresses, solana } },
      undefined,
    ]
    for (const one of changed) {
      const device = { ...split.device, binding: one }
      const asked = { ...source, device, addresses: one?.addresses ?? addresses }
      await expect(worker.sign(asked, message)).rejects.toThrow('BAD_DEVICE_SHARE')
    }
    const { device } = await worker.bind(source, { userId, generation: 3 })
    expect(device.binding).toEqual({ ...binding, generation: 3 })
    await worker.sign({ ...source, device }, message)
  })

  it('keeps a device from recovering another wallet', async () => {
    const { split } = await newWallet()
    const other = await newWallet()
    const { authShare, recoveryShare } = other.split
    const given = { userId, authShare, recoveryShare, chosen: untouched, addresses: other.addresses }
    await expect(worker.recover({ ...given, known: split.device })).rejects.toThrow('BAD_DEVICE_SHARE')
    await worker.recover({ ...given, known: other.split.device })
  })
})
