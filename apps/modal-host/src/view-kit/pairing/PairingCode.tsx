import { useText } from '@postern/ui/locales/text'
import { WalletPicture } from '@postern/ui/picture'
import { Unseen } from '@postern/ui/unseen'
import { DoorIcon } from '@postern/ui/view-icons'
import { type ReactNode, useMemo } from 'react'
import type { Pairing } from '../../snapshot/contract'
import styles from './PairingCode.module.css'
import { layoutQrCode } from './qr-code-layout'

type PairingCodeProps = {
  readonly pairing: Pairing | undefined
  readonly wallet: string
  readonly imageUrl: string | undefined
  /** In the center without a picture. */
  readonly mark?: ReactNode
  /** Default: connects the wallet. */
  readonly label?: string
}

/** Dark on light in every theme, for cameras. */
export function PairingCode({ pairing, wallet, imageUrl, mark = <DoorIcon />, label }: PairingCodeProps) {
  const t = useText()
  const isReady = pairing?.kind === 'ready'
  return (
    <div className={styles.code} data-ready={isReady || undefined} aria-busy={!isReady || undefined}>
      {isReady ? (
        <Code text={pairing.uri} label={label ?? t('pairing.code', { wallet })} />
      ) : (
        <Unseen>{t('pairing.preparing')}</Unseen>
      )}
      <span className={styles.mark}>
        {imageUrl === undefined ? (
          <span className={styles.door}>{mark}</span>
        ) : (
          <WalletPicture src={imageUrl} size="code" />
        )}
      </span>
    </div>
  )
}

function Code({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, dots, eyes } = useMemo(() => layoutQrCode(text), [text])
  return (
    <svg className={styles.drawing} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path className={styles.dots} d={dots} />
      {eyes.map(({ x, y }) => (
        <g key={`${x} ${y}`}>
          <rect className={styles.ring} x={x + 0.5} y={y + 0.5} width="6" height="6" rx="1.9" />
          <rect className={styles.pupil} x={x + 2} y={y + 2} width="3" height="3" rx="1.05" />
        </g>
      ))}
    </svg>
  )
}
