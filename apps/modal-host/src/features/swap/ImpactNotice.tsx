import { useLocale, useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import type { ReactNode } from 'react'
import { percent } from './QuoteFacts'
import { impactOf, type Loss, percentText } from './quote'

/** Renders nothing for a small loss. */
export function ImpactNotice({ loss, children }: { readonly loss: Loss | null; readonly children?: ReactNode }) {
  const t = useText()
  const locale = useLocale()
  const impact = impactOf(loss?.percent ?? null)
  if (loss === null || impact === 'low') return null
  const values = { percent: percent(percentText(loss.percent) ?? loss.percent, locale) }
  const isWorth = loss.kind === 'worth'
  return (
    <Notice
      tone={impact === 'severe' ? 'bad' : 'warn'}
      title={t(isWorth ? 'swap.worthLess' : impact === 'severe' ? 'swap.severe' : 'swap.high', values)}
      text={t(isWorth ? 'swap.worthLessText' : 'swap.impactText')}
    >
      {children}
    </Notice>
  )
}
