import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { verifyMessage } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { formatMessage } from '../message/format'
import type { SignInMessage, SignInSession } from '../types'
import type { SignatureVerifier } from '../verifiers/verifier'

export const noon = Date.UTC(2026, 10, 21, 12)

export const iso = (ms: number): string => new Date(ms).toISOString()

export function clock() {
  let time = noon
  return {
    now: () => time,
    pass(ms: number) {
      time += ms
    },
  }
}

export function visitor() {
  const account = privateKeyToAccount(generatePrivateKey())
  const message = (changes: Partial<SignInMessage> = {}): SignInMessage => ({
    accountAddress: account.address,
    chainId: 'eip155:1',
    domain: 'example.com',
    uri: 'https://example.com',
    version: '1',
    nonce: '5f0c4d3a2b1e09875f0c4d3a2b1e0987',
    issuedAt: iso(noon),
    ...changes,
  })
  return {
    address: account.address,
    message,
    sign: async (changes: Partial<SignInMessage> = {}): Promise<SignInSession> => {
      const data = message(changes)
      const text = formatMessage(data)
      return { data, message: text, signature: await account.signMessage({ message: text }) }
    },
  }
}

export function solanaVisitor() {
  const secret = ed25519.utils.randomPrivateKey()
  const address = base58.encode(ed25519.getPublicKey(secret))
  const chainId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  const { message } = visitor()
  return {
    address,
    sign: async (changes: Partial<SignInMessage> = {}): Promise<SignInSession> => {
      const data = message({ accountAddress: address, chainId, ...changes })
      const text = formatMessage(data)
      const signature = ed25519.sign(new TextEncoder().encode(text), secret)
      return { data, message: text, signature: base58.encode(signature) }
    },
  }
}

/** EIP-191; counts calls. */
export function keyVerifier(): SignatureVerifier & { calls(): number } {
  let calls = 0
  return {
    namespace: 'eip155',
    verify({ address, message, signature }) {
      calls++
      return isHex(address) && isHex(signature)
        ? verifyMessage({ address, message, signature })
        : Promise.resolve(false)
    },
    calls: () => calls,
  }
}

const isHex = (text: string): text is `0x${string}` => text.startsWith('0x')
