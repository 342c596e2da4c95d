import { useText } from '@postern/ui/locales/text'
import { ListNotice } from './AccountList'
import type { SpamChoice } from './account-state'

export function SpamNotice({ hidden, isShown, toggle }: SpamChoice & { readonly hidden: number }) {
  const t = useText()
  if (hidden === 0 && !isShown) return null
  return (
    <ListNotice
      text={isShown ? t('spam.shown') : t('spam.hidden', { count: hidden })}
      action={t(isShown ? 'spam.hide' : 'spam.show')}
      onPress={toggle}
    />
  )
}
