import { useText } from '@postern/ui/locales/text'
import { Row, RowGlyph, SkeletonRow } from '@postern/ui/row'
import { Section } from '@postern/ui/section'
import { Unseen } from '@postern/ui/unseen'
import { ExportIcon, ForwardIcon, KeyIcon, MailIcon, TrashIcon } from '@postern/ui/view-icons'
import type { ReactNode } from 'react'
import { LockedNotice } from '../../../view-kit/embedded/LockedNotice'
import { RecoveryNotice } from '../../../view-kit/embedded/RecoveryNotice'
import { StorageNotice } from '../../../view-kit/embedded/StorageNotice'
import { useActions, useSnapshot } from '../../../view-kit/host-context'
import { useNavigation } from '../../../view-kit/navigation'
import { Devices } from './Devices'
import { MoveOffer, PreviousWallet } from './PreviousWallet'
import styles from './WalletSecurity.module.css'

export default function WalletSecurity() {
  const t = useText()
  const { openWalletWindow } = useActions()
  const { push } = useNavigation()
  const embedded = useSnapshot((snapshot) => snapshot.embedded)
  if (embedded === null) return null
  const { security, provider, email, isMovePutOff } = embedded
  return (
    <div className={styles.security}>
      <RecoveryNotice />
      <LockedNotice />
      <StorageNotice />
      {security !== null && <MoveOffer security={security} isPutOff={isMovePutOff} />}
      <Section title={t('security.recovery')}>
        {security === null ? (
          <Loading />
        ) : security.recovery === null ? (
          <p className={styles.text}>{t('security.noWallet')}</p>
        ) : (
          <>
            <Row
              icon={<Glyph icon={<KeyIcon />} />}
              title={t('security.method', { method: security.recovery })}
              trailing={
                <>
                  <span>{t('security.change')}</span>
                  <ForwardIcon small />
                </>
              }
              onPress={() => openWalletWindow('recovery')}
            />
            <p className={styles.text}>{t('security.methodText', { method: security.recovery })}</p>
          </>
        )}
      </Section>
      {security !== null && <PreviousWallet security={security} />}
      <Section title={t('security.devices')}>
        {security === null ? <Loading /> : <Devices devices={security.devices} />}
      </Section>
      <Section title={t('security.account')}>
        <ul className={styles.rows}>
          {provider === 'email' && email !== null && (
            <li>
              <Row
                icon={<Glyph icon={<MailIcon />} />}
                title={t('updateEmail.title')}
                detail={<bdi>{email}</bdi>}
                trailing={<ForwardIcon small />}
                onPress={() => push('UpdateEmail')}
              />
            </li>
          )}
          <li>
            <Row
              icon={<Glyph icon={<ExportIcon />} />}
              title={t('security.export')}
              detail={t('security.exportHint')}
              trailing={<ForwardIcon small />}
              onPress={() => openWalletWindow('export')}
            />
          </li>
          <li>
            <Row
              icon={<Glyph icon={<TrashIcon />} />}
              title={t('delete.title')}
              trailing={<ForwardIcon small />}
              onPress={() => push('DeleteAccount')}
            />
          </li>
        </ul>
      </Section>
    </div>
  )
}

function Glyph({ icon }: { readonly icon: ReactNode }) {
  return <RowGlyph>{icon}</RowGlyph>
}

function Loading() {
  const t = useText()
  return (
    <div aria-busy="true">
      <Unseen>{t('loading')}</Unseen>
      <SkeletonRow />
    </div>
  )
}
