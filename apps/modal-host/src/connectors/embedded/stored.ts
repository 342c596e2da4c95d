import { readStored } from '@postern/base/read-stored'
import { type AccountType, type SocialProvider, storedKeys } from '@postern/protocol'
import type * as z from 'zod/mini'
import type { HostStorage } from '../../services/storage'
import type { ReturningUser } from '../../snapshot/contract'

export type EmbeddedAccountType = 'eoa' | 'smartAccount'

/** What the modal stores (spec §3): no secret, no email address. */
export type EmbeddedStore = {
  /** Epoch ms. */
  lastEmailLogin(): number | null
  keepLastEmailLogin(at: number): void
  /** Since then (epoch ms), an open sign-in waits for its email, or for the user to unlock or make the wallet. */
  openSignIn(): number | null
  keepOpenSignIn(at: number | null): void
  preferredAccount(): EmbeddedAccountType | null
  keepPreferredAccount(type: EmbeddedAccountType): void
  /** Null after a sign-in by email. */
  social(): SocialProvider | null
  keepSocial(social: { readonly provider: SocialProvider; readonly userName: string | null } | null): void
  keepSmartAccountNetworks(chainIds: readonly number[]): void
  returningUser(): ReturningUser
  /** Whether the session's wallet is stored in the wallet's own window. */
  isWalletInWindow(): boolean
  setWalletInWindow(): void
  isMovePutOff(): boolean
  keepMovePutOff(): void
  /** Deletes the session's values (spec §4), not the cooldown, the preference and the answer to the offer. */
  clear(): void
}

export function createEmbeddedStore(storage: HostStorage): EmbeddedStore {
  const read = <T>(name: keyof typeof storedKeys, schema: z.ZodMiniType<T>): T | null =>
    readStored(schema, storage.get(name))
  const write = (name: keyof typeof storedKeys, value: unknown) =>
    storage.set(name, value === null ? null : JSON.stringify(value))
  const preferred = () => read('preferredAccountTypes', storedKeys.preferredAccountTypes) ?? {}
  return {
    lastEmailLogin: () => read('lastEmailLogin', storedKeys.lastEmailLogin),
    keepLastEmailLogin: (at) => write('lastEmailLogin', at),
    openSignIn: () => read('openSignIn', storedKeys.openSignIn),
    keepOpenSignIn: (at) => write('openSignIn', at),
    preferredAccount: () => evmType(preferred().eip155),
    keepPreferredAccount: (type) => write('preferredAccountTypes', { ...preferred(), eip155: type }),
    social: () => read('connectedSocial', storedKeys.connectedSocial),
    keepSocial(social) {
      write('connectedSocial', social?.provider ?? null)
      write('socialUsername', social?.userName ?? null)
    },
    keepSmartAccountNetworks: (chainIds) => write('smartAccountNetworks', chainIds.join(',')),
    returningUser: () => ({
      provider: read('connectedSocial', storedKeys.connectedSocial),
      userName: read('socialUsername', storedKeys.socialUsername),
      smartAccountNetworks: chainIdsOf(read('smartAccountNetworks', storedKeys.smartAccountNetworks)),
    }),
    isWalletInWindow: () => read('walletKept', storedKeys.walletKept) ?? false,
    setWalletInWindow: () => write('walletKept', true),
    isMovePutOff: () => read('moveOfferPutOff', storedKeys.moveOfferPutOff) ?? false,
    keepMovePutOff: () => write('moveOfferPutOff', true),
    clear() {
      for (const name of ['connectedSocial', 'socialUsername', 'smartAccountNetworks', 'walletKept'] as const)
        write(name, null)
    },
  }
}

function chainIdsOf(list: string | null): readonly number[] {
  return list === null || list === '' ? [] : list.split(',').map(Number)
}

function evmType(type: AccountType | undefined): EmbeddedAccountType | null {
  return type === 'eoa' || type === 'smartAccount' ? type : null
}
