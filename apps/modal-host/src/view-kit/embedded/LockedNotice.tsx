import { TextButton } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { useActions, useSnapshot } from '../host-context'

export function LockedNotice() {
  const t = useText()
  const { openWalletWindow } = useActions()
  const locked = useSnapshot((snapshot) => snapshot.embedded?.locked ?? null)
  if (locked === null) return null
  return (
    <Notice tone="warn" title={t('unlock.title')} text={t('unlock.text', { method: locked })}>
      <TextButton onPress={() => openWalletWindow('unlock')}>{t('unlock.button', { method: locked })}</TextButton>
    </Notice>
  )
}
