import { signInProviderNames } from '@postern/protocol'
import { useText } from '@postern/ui/locales/text'
import { useState } from 'react'
import { useSnapshot } from '../view-kit/host-context'
import type { View } from '../view-kit/navigation'
import { TitleText } from './title-text'

type LaterView = Exclude<View, 'Connect'>

export function LaterTitle({ view }: { readonly view: LaterView }) {
  return <TitleText text={useViewTitle(view)} />
}

function useViewTitle(view: LaterView): string {
  const t = useText()
  const wallet = useSnapshot((snapshot) => snapshot.connectAttempt?.row.name)
  const provider = useSnapshot(({ signIn }) =>
    signIn?.kind === 'social' ? signInProviderNames[signIn.provider] : null,
  )
  const isOpening = useSnapshot(({ signIn }) => signIn?.step === 'opening')
  const isSent = useIsSent()
  switch (view) {
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
    case 'SIWXSignMessage':
    case 'ConnectingSiwe':
      return t('siwx.title')
    case 'Tokens':
      return t('tokens.title')
    case 'Nfts':
      return t('nfts.title')
    case 'Activity':
      return t('activity.title')
    case 'NftDetails':
      return t('nft.title')
    case 'Send':
      return t('send.title')
    case 'SendSelectToken':
    case 'SwapSelectToken':
      return t('token.title')
    case 'SendPreview':
      return t('send.preview.title')
    case 'Receive':
      return t('receive.title')
    case 'Swap':
      return t('swap.title')
    case 'SwapPreview':
      return t('swap.preview.title')
    case 'OnRamp':
    case 'OnRampReturn':
      return t('buy.title')
    case 'OnRampCurrency':
      return t('buy.currency.title')
    case 'Pay':
      return t('pay.title')
    case 'RegisterAccountName':
    case 'RegisterAccountNameSuccess':
      return t('name.title')
    case 'SmartSessions':
      return t('sessions.title')
    case 'TransactionProgress':
      return t('progress.title')
  }
}

/** Remembers the last request, so that a closing card keeps its title. */
function useIsSent(): boolean {
  const now = useSnapshot(({ approvals: [first] }) => first?.status.kind ?? null)
  const [last, setLast] = useState(now)
  if (now !== null && now !== last) setLast(now)
  const kind = now ?? last
  return kind === 'sent' || kind === 'ended'
}
