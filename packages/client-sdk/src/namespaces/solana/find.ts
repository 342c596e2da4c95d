import { type Methods, only } from '../../discovery/wallet-provider'
import type { Finder } from '../contract'

export const finder: Finder = {
  kind: 'solanaStandard',
  methods(has) {
    const signs: Methods = [
      ...only(has('solana:signMessage'), 'solana_signMessage'),
      ...only(has('solana:signTransaction'), 'solana_signTransaction', 'solana_signAllTransactions'),
      ...only(has('solana:signAndSendTransaction'), 'solana_signAndSendTransaction'),
    ]
    if (signs.length === 0 || !has('standard:connect')) return []
    return [
      'solana_getAccounts',
      'solana_requestAccounts',
      ...only(has('standard:disconnect'), 'solana_disconnect'),
      ...signs,
    ]
  },
}
