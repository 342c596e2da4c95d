/** A wallet on a device: a real key, and shares in the real format. */
import { createHash, randomBytes } from 'node:crypto'
import {
  type AddressProof,
  addressProofText,
  type DeviceShares,
  deviceRemovalText,
  type Recovery,
  type RecoveryProof,
  recoveryProofText,
  recoveryText,
  replacementText,
  shareProofText,
  type WalletAddresses,
  type WalletEndClaim,
  walletEndText,
} from '@postern/protocol'
import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

export type TestWallet = {
  readonly addresses: WalletAddresses
  readonly owner: Address
  /** New and proved each time. */
  split(
    action: 'create' | 'device' | 'recovery' | 'replace',
    userId: string,
    recovery?: Recovery,
    deviceName?: string,
  ): Promise<DeviceShares>
  /** Proves a recovery method. */
  choose(userId: string, recovery: Recovery, generation?: number): Promise<RecoveryProof>
  /** Names the wallet after this one. */
  replacedBy(userId: string, to: WalletAddresses): Promise<`0x${string}`>
  /** Proves the addresses. */
  vouch(userId: string, generation: number): Promise<AddressProof>
  /** Removes a device. */
  removes(userId: string, deviceId: string): Promise<`0x${string}`>
  /** Says that the wallet ended. */
  end<C extends WalletEndClaim>(userId: string, claim: C): Promise<C & { readonly signature: `0x${string}` }>
}

export const passphrase: Recovery = {
  method: 'passphrase',
  publicKey: randomBytes(91).toString('base64url'),
  wrappedKey: randomBytes(180).toString('base64url'),
  salt: randomBytes(16).toString('base64url'),
  memory: 65_536,
  passes: 3,
  lanes: 1,
}

export function newWallet(): TestWallet {
  const account = privateKeyToAccount(generatePrivateKey())
  const addresses = {
    eip155: account.address,
    solana: '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2',
    bip122: '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c',
  }
  return {
    owner: account.address,
    addresses,
    async split(action, userId, recovery = { method: 'gateway' }, deviceName = 'Chrome on Linux') {
      const shares = { authShare: share(), recoveryShare: share() }
      const message = shareProofText({ action, userId, ...shares, recovery: recoveryText(recovery) })
      return { ...shares, deviceName, proof: await account.signMessage({ message }) }
    },
    async replacedBy(userId, to) {
      const userHash = createHash('sha256').update(userId).digest('hex')
      return account.signMessage({ message: replacementText({ userHash, from: addresses, to }) })
    },
    async vouch(userId, generation) {
      const userHash = createHash('sha256').update(userId).digest('hex')
      const message = addressProofText({ userHash, generation, addresses })
      return { generation, signature: await account.signMessage({ message }) }
    },
    async removes(userId, deviceId) {
      const userHash = createHash('sha256').update(userId).digest('hex')
      return account.signMessage({ message: deviceRemovalText({ userHash, deviceId, addresses }) })
    },
    async end(userId, claim) {
      const userHash = createHash('sha256').update(userId).digest('hex')
      const message = walletEndText({ userHash, addresses, end: claim })
      return { ...claim, signature: await account.signMessage({ message }) }
    },
    async choose(userId, recovery, generation = 1) {
      const message = recoveryProofText({ userId, generation, recovery: recoveryText(recovery) })
      return { generation, signature: await account.signMessage({ message }) }
    },
  }
}

/** 16 bytes and the index, like `shamir-secret-sharing`. */
function share(): string {
  return randomBytes(17).toString('base64url')
}
