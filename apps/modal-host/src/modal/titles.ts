import { signInProviderNames } from '@postern/protocol'
import { useState } from 'react'
import { useText } from '../locales/text'
import { useSnapshot } from '../views/host-context'
import type { View } from '../views/navigation'

/** What a view is called: the dialog's name, the heading that is seen, and what is read when the view changes. */
export function useViewTitle(view: View): string {
  const t = useText()
  const wallet = useSnapshot((snapshot) => snapshot.connectAttempt?.row.name)
  const namespace = useSnapshot((snapshot) => snapshot.wantedNamespace)
  const provider = useSnapshot(({ signIn }) =>
    signIn?.kind === 'social' ? signInProviderNames[signIn.provider] : null,
  )
  const isOpening = useSnapshot(({ signIn }) => signIn?.step === 'opening')
  const isSent = useIsSent()
  switch (view) {
    case 'Connect':
      return namespace === null ? t('connect.title') : t('connect.only', { namespace })
    case 'AllWallets':
      return t('all.title')
    case 'ConnectingExternal':
    case 'ConnectingWalletConnect':
    case 'ConnectingWalletConnectBasic':
      return wallet ?? t('connect.title')
    case 'GetWallet':
      return t('getWallet.title', { wallet: wallet ?? '' })
    case 'Account':
      return t('account.title')
    case 'Networks':
      return t('networks.title')
    case 'SwitchActiveChain':
    case 'UnsupportedChain':
      return t('unsupported.title')
    case 'WhatIsAWallet':
      return t('help.title')
    case 'EmailVerifyDevice':
    case 'EmailVerifyOtp':
      return isOpening ? t('connect.title') : t('email.title')
    case 'ConnectingSocial':
      return provider ?? t('connect.title')
    case 'ConnectingFarcaster':
      return signInProviderNames.farcaster
    case 'ApproveTransaction':
      return t(isSent ? 'approve.transaction' : 'approve.title')
    case 'AccountTypes':
      return t('types.title')
    case 'WalletSecurity':
      return t('security.title')
    case 'UpdateEmail':
    case 'UpdateEmailPrimaryOtp':
    case 'UpdateEmailSecondaryOtp':
      return t('updateEmail.title')
    case 'DeleteAccount':
      return t('delete.title')
    case 'Tokens':
      return t('tokens.title')
  }
}

/** Whether what is on show was sent already. A card that closes after the last one keeps its title. */
function useIsSent(): boolean {
  const now = useSnapshot(({ approvals: [first] }) => first?.status.kind ?? null)
  const [last, setLast] = useState(now)
  if (now !== null && now !== last) setLast(now)
  const kind = now ?? last
  return kind === 'sent' || kind === 'ended'
}
