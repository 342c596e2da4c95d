import { Button } from '@postern/ui/button'
import { ExternalIcon, type Icon } from '@postern/ui/icons'
import { type TextKey, useText } from '@postern/ui/locales/text'
import { RowGlyph } from '@postern/ui/row'
import { Unseen } from '@postern/ui/unseen'
import { DoorIcon, KeyIcon, ShieldIcon } from '@postern/ui/view-icons'
import { useSnapshot } from '../../view-kit/host-context'
import { useNavigation } from '../../view-kit/navigation'
import styles from './WhatIsAWallet.module.css'

type Point = { readonly icon: Icon; readonly title: TextKey; readonly text: TextKey }

const points: readonly Point[] = [
  { icon: KeyIcon, title: 'help.keys', text: 'help.keysText' },
  { icon: DoorIcon, title: 'help.login', text: 'help.loginText' },
  { icon: ShieldIcon, title: 'help.ask', text: 'help.askText' },
]

export default function WhatIsAWallet() {
  const t = useText()
  const { push } = useNavigation()
  const listed = useSnapshot((snapshot) => snapshot.directoryCount ?? 0)
  return (
    <div className={styles.help}>
      <ul className={styles.points}>
        {points.map(({ icon: Icon, title, text }) => (
          <li key={title} className={styles.point}>
            <RowGlyph>
              <Icon />
            </RowGlyph>
            <div>
              <p className={styles.title}>{t(title)}</p>
              <p className={styles.text}>{t(text)}</p>
            </div>
          </li>
        ))}
      </ul>
      {listed > 0 && (
        <Button tone="primary" onPress={() => push('AllWallets')}>
          {t('help.get')}
        </Button>
      )}
      <a className={styles.licences} href="/licences.txt" target="_blank" rel="noopener noreferrer">
        {t('help.licences')}
        <ExternalIcon small />
        <Unseen>({t('opensInNewTab')})</Unseen>
      </a>
    </div>
  )
}
