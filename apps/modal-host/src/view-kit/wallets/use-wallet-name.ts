import { useText } from '@postern/ui/locales/text'
import type { HostSnapshot } from '../../snapshot/contract'
import { activeAccount, type ConnectedAccount, isEmbedded } from '../connected-account'
import { useSnapshot } from '../host-context'

/** For "Confirm in …". The embedded wallet is "your wallet". */
export function useWalletName(find: (snapshot: HostSnapshot) => Pick<ConnectedAccount, 'connector'> | null): string {
  const t = useText()
  const name = useSnapshot((snapshot) => {
    const connected = find(snapshot)
    return connected === null || isEmbedded(connected) ? null : (connected.connector?.name ?? null)
  })
  return name ?? t('wallet.own')
}

export const useActiveWalletName = (): string => useWalletName(activeAccount)
