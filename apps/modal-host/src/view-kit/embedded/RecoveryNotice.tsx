import { TextButton } from '@postern/ui/button'
import { useLocale, useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { useEffect } from 'react'
import { useActions, useHost, useSnapshot } from '../host-context'
import { useNavigation } from '../navigation'
import { deviceRemovalOf } from './device-removal'

/** The oldest recovery on another device that this user has not confirmed. Looks for new ones at each opening. */
export function RecoveryNotice() {
  const t = useText()
  const locale = useLocale()
  const { push } = useNavigation()
  const removal = deviceRemovalOf(useHost())
  const { refreshWallet, seeRecoveries } = useActions()
  const recovery = useSnapshot((snapshot) => snapshot.embedded?.security?.recoveries.at(-1))
  const opening = useSnapshot((snapshot) => (snapshot.open ? snapshot.opening.key : null))
  useEffect(() => {
    if (opening !== null) refreshWallet()
  }, [opening, refreshWallet])
  if (recovery === undefined) return null
  const { deviceId, at, opensAt } = recovery
  const state = opensAt === null ? 'open' : 'waiting'
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(opensAt ?? at)
  const remove = () => {
    removal.deviceId = deviceId
    push('RemoveDevice')
  }
  return (
    <Notice
      tone={opensAt === null ? 'warn' : 'bad'}
      title={t('recovered.title', { state })}
      text={t('recovered.text', { state, time })}
    >
      <TextButton onPress={remove}>{t('recovered.notMe')}</TextButton>
      <TextButton onPress={() => seeRecoveries(at)}>{t('recovered.me')}</TextButton>
    </Notice>
  )
}
