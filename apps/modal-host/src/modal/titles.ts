import { useText } from '../locales/text'
import { useSnapshot } from '../views/host-context'
import type { View } from '../views/navigation'

/** What a view is called: the dialog's name, the heading that is seen, and what is read when the view changes. */
export function useViewTitle(view: View): string {
  const t = useText()
  const wallet = useSnapshot((snapshot) => snapshot.connectAttempt?.row.name)
  switch (view) {
    case 'Connect':
      return t('connect.title')
    case 'AllWallets':
      return t('all.title')
    case 'ConnectingExternal':
      return wallet ?? t('connect.title')
    case 'Account':
      return t('account.title')
    case 'Networks':
      return t('networks.title')
    case 'UnsupportedChain':
      return t('unsupported.title')
    case 'WhatIsAWallet':
      return t('help.title')
  }
}
