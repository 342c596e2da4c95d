import { TextButton } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { useActions, useSnapshot } from '../host-context'

/** Without storage the session ends with the page, unless the user takes one of two fixes. */
export function StorageNotice() {
  const t = useText()
  const { grantStorage, openWalletWindow } = useActions()
  const storage = useSnapshot((snapshot) => snapshot.embedded?.storage)
  if (storage !== 'memory') return null
  return (
    <Notice tone="warn" title={t('storage.title')} text={t('storage.text')}>
      <TextButton onPress={grantStorage}>{t('storage.grant')}</TextButton>
      <TextButton onPress={() => openWalletWindow('keep')}>{t('storage.keep')}</TextButton>
    </Notice>
  )
}
