/** A separate chunk, so that the first paint does not list these files. */
import type { ComponentType } from 'react'
import type { FeatureView } from '../view-kit/navigation'

type Load = () => Promise<{ readonly default: ComponentType }>

export const featureViews: Readonly<Record<FeatureView, Load>> = {
  Tokens: () => import('../features/portfolio/Tokens'),
  Nfts: () => import('../features/nfts/Nfts'),
  NftDetails: () => import('../features/nfts/NftDetails'),
  Activity: () => import('../features/activity/Activity'),
  RegisterAccountName: () => import('../features/names/RegisterAccountName'),
  RegisterAccountNameSuccess: () => import('../features/names/RegisterAccountNameSuccess'),
  OnRamp: () => import('../features/onramp/OnRamp'),
  OnRampCurrency: () => import('../features/onramp/OnRampCurrency'),
  OnRampReturn: () => import('../features/onramp/OnRampReturn'),
  SmartSessions: () => import('../features/sessions/SmartSessions'),
  Pay: () => import('../features/pay/Pay'),
  Send: () => import('../features/send/Send'),
  SendSelectToken: () => import('../features/send/SendSelectToken'),
  SendPreview: () => import('../features/send/SendPreview'),
  Receive: () => import('../features/receive/Receive'),
  Swap: () => import('../features/swap/Swap'),
  SwapSelectToken: () => import('../features/swap/SwapSelectToken'),
  SwapPreview: () => import('../features/swap/SwapPreview'),
  TransactionProgress: () => import('../features/transaction/TransactionProgress'),
}

export const connectParts = {
  legal: () => import('../features/legal/LegalCheckbox'),
  consent: () => import('../features/analytics/ConsentNotice'),
}
