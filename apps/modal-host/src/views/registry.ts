/**
 * The views' code. A new view needs its folder, a row here, one in `snapshot/views.ts`, and its title in the catalogue
 * (`title.<view>`). The first paint has Connect (`boot/Connect`).
 */
import { signInProviderNames } from '@postern/protocol'
import type { Translate } from '@postern/ui/locales/text'
import type { ComponentType } from 'react'
import type { HostSnapshot } from '../snapshot/contract'
import type { View } from '../snapshot/views'

export type ViewRow = {
  readonly load: () => Promise<{ readonly default: ComponentType }>
  /** Undefined: the catalogue's title; null: keeps the current one. */
  readonly title?: (snapshot: HostSnapshot, t: Translate) => string | undefined | null
  /** The view's folder in `features`, fetched when first shown. */
  readonly feature?: string
}

type Title = NonNullable<ViewRow['title']>

const walletTitle: Title = ({ connectAttempt }) => connectAttempt?.row.name
const getWalletTitle: Title = ({ connectAttempt }, t) =>
  t('title.GetWallet', { wallet: connectAttempt?.row.name ?? '' })
const emailTitle: Title = ({ signIn }, t) => (signIn?.step === 'opening' ? t('connect.title') : undefined)
const socialTitle: Title = ({ signIn }) =>
  signIn?.kind === 'social' ? signInProviderNames[signIn.provider] : undefined

const approvalTitle: Title = ({ approvals: [first] }, t) => {
  if (first === undefined) return null
  const { kind } = first.status
  return kind === 'sent' || kind === 'ended' ? t('approve.transaction') : undefined
}

const requestTitle: Title = ({ walletRequests: [first] }) => first?.name ?? null

export const views: Readonly<Record<Exclude<View, 'Connect'>, ViewRow>> = {
  AllWallets: { load: () => import('./AllWallets/AllWallets') },
  ConnectingExternal: { load: () => import('./ConnectingExternal/ConnectingExternal'), title: walletTitle },
  ConnectingWalletConnect: {
    load: () => import('./ConnectingWalletConnect/ConnectingWalletConnect'),
    title: walletTitle,
  },
  ConnectingWalletConnectBasic: {
    load: () => import('./ConnectingWalletConnectBasic/ConnectingWalletConnectBasic'),
    title: walletTitle,
  },
  GetWallet: { load: () => import('./GetWallet/GetWallet'), title: getWalletTitle },
  Account: { load: () => import('../features/account/Account') },
  Networks: { load: () => import('./Networks/Networks') },
  SwitchActiveChain: { load: () => import('./SwitchActiveChain/SwitchActiveChain') },
  WalletRequest: { load: () => import('./WalletRequest/WalletRequest'), title: requestTitle },
  UnsupportedChain: { load: () => import('./UnsupportedChain/UnsupportedChain') },
  WhatIsAWallet: { load: () => import('./WhatIsAWallet/WhatIsAWallet') },
  SIWXSignMessage: { load: () => import('./SIWXSignMessage/SIWXSignMessage') },
  ConnectingSiwe: { load: () => import('./SIWXSignMessage/SIWXSignMessage') },

  EmailVerifyDevice: { load: () => import('./embedded/EmailVerifyDevice/EmailVerifyDevice'), title: emailTitle },
  EmailVerifyOtp: { load: () => import('./embedded/EmailVerifyOtp/EmailVerifyOtp'), title: emailTitle },
  ConnectingSocial: { load: () => import('./embedded/ConnectingSocial/ConnectingSocial'), title: socialTitle },
  ConnectingFarcaster: { load: () => import('./embedded/ConnectingFarcaster/ConnectingFarcaster') },
  ApproveTransaction: { load: () => import('./embedded/ApproveTransaction/ApproveTransaction'), title: approvalTitle },
  WalletReady: { load: () => import('./embedded/WalletReady/WalletReady') },
  AccountTypes: { load: () => import('./embedded/AccountTypes/AccountTypes') },
  WalletSecurity: { load: () => import('./embedded/WalletSecurity/WalletSecurity') },
  UpdateEmail: { load: () => import('./embedded/UpdateEmail/UpdateEmail') },
  UpdateEmailPrimaryOtp: { load: () => import('./embedded/UpdateEmail/UpdateEmailPrimaryOtp') },
  UpdateEmailSecondaryOtp: { load: () => import('./embedded/UpdateEmail/UpdateEmailSecondaryOtp') },
  MoveAssets: { feature: 'move', load: () => import('../features/move/MoveAssets') },
  RemoveDevice: { load: () => import('./embedded/RemoveDevice/RemoveDevice') },
  DeleteAccount: { load: () => import('./embedded/DeleteAccount/DeleteAccount') },

  Tokens: { feature: 'portfolio', load: () => import('../features/portfolio/Tokens') },
  Nfts: { feature: 'nfts', load: () => import('../features/nfts/Nfts') },
  NftDetails: { feature: 'nfts', load: () => import('../features/nfts/NftDetails') },
  Activity: { feature: 'activity', load: () => import('../features/activity/Activity') },
  RegisterAccountName: { feature: 'names', load: () => import('../features/names/RegisterAccountName') },
  RegisterAccountNameSuccess: { feature: 'names', load: () => import('../features/names/RegisterAccountNameSuccess') },
  OnRamp: { feature: 'onramp', load: () => import('../features/onramp/OnRamp') },
  OnRampCurrency: { feature: 'onramp', load: () => import('../features/onramp/OnRampCurrency') },
  OnRampReturn: { feature: 'onramp', load: () => import('../features/onramp/OnRampReturn') },
  SmartSessions: { feature: 'sessions', load: () => import('../features/sessions/SmartSessions') },
  Pay: { feature: 'pay', load: () => import('../features/pay/Pay') },
  Send: { feature: 'send', load: () => import('../features/send/Send') },
  SendSelectToken: { feature: 'send', load: () => import('../features/send/SendSelectToken') },
  SendPreview: { feature: 'send', load: () => import('../features/send/SendPreview') },
  Receive: { feature: 'receive', load: () => import('../features/receive/Receive') },
  Swap: { feature: 'swap', load: () => import('../features/swap/Swap') },
  SwapSelectToken: { feature: 'swap', load: () => import('../features/swap/SwapSelectToken') },
  SwapPreview: { feature: 'swap', load: () => import('../features/swap/SwapPreview') },
  TransactionProgress: { feature: 'transaction', load: () => import('../features/transaction/TransactionProgress') },
}
