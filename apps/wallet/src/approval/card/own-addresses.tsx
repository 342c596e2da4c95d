import { isSameAddress } from '@postern/chains/same-address'
import { useText } from '@postern/ui/locales/text'
import { Tag } from '@postern/ui/row'
import { createContext, useContext } from 'react'

export const OwnAddresses = createContext<readonly string[]>([])

export function OwnTag({ address }: { readonly address: string }) {
  const t = useText()
  const own = useContext(OwnAddresses)
  return own.some((one) => isSameAddress(one, address)) ? <Tag tone="active">{t('fact.you')}</Tag> : null
}
