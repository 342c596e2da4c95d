/** Icons of the Connect view: 20 px grid, 1.75 px round strokes. Always beside text. */
import type { ReactNode } from 'react'
import { classNames } from '../class-names'
import styles from './icons.module.css'

export type IconProps = { readonly className?: string | undefined; readonly small?: boolean }
export type Icon = (props: IconProps) => ReactNode

export function drawn(children: ReactNode, flips = false): Icon {
  return (props) => (
    <Drawing {...props} flips={flips}>
      {children}
    </Drawing>
  )
}

type DrawingProps = IconProps & { readonly flips: boolean; readonly children: ReactNode }

function Drawing({ className, small = false, flips, children }: DrawingProps) {
  return (
    <svg
      className={classNames(styles.icon, small && styles.small, flips && styles.flips, className)}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

export const BackIcon = drawn(<path d="M12 4.5 6.5 10l5.5 5.5" />, true)
export const ArrowIcon = drawn(<path d="M4.5 10h11M10.75 5l5 5-5 5" />, true)
export const CloseIcon = drawn(<path d="m5 5 10 10M15 5 5 15" />)
export const HelpIcon = drawn(
  <>
    <circle cx="10" cy="10" r="7.25" />
    <path d="M8 7.9a2.05 2.05 0 1 1 3 1.8c-.65.35-1 .8-1 1.5" />
    <path d="M10 13.6v.01" />
  </>,
)
export const ExternalIcon = drawn(<path d="M7 5.5h7.5V13M14 6l-8.5 8.5" />, true)
export const NetworkIcon = drawn(
  <>
    <circle cx="10" cy="10" r="7.25" />
    <path d="M2.9 10h14.2M10 2.75c2.1 2 3.1 4.4 3.1 7.25s-1 5.25-3.1 7.25c-2.1-2-3.1-4.4-3.1-7.25s1-5.25 3.1-7.25Z" />
  </>,
)
export const WalletIcon = drawn(
  <>
    <path d="M15.25 6.75v-1a2 2 0 0 0-2-2h-8a2 2 0 0 0 0 4h10a2 2 0 0 1 2 2v4.5a2 2 0 0 1-2 2h-10a2 2 0 0 1-2-2V5.75" />
    <path d="M13.6 12v.01" />
  </>,
)
export const GridIcon = drawn(
  <>
    <rect x="3.5" y="3.5" width="5" height="5" rx="1.6" />
    <rect x="11.5" y="3.5" width="5" height="5" rx="1.6" />
    <rect x="3.5" y="11.5" width="5" height="5" rx="1.6" />
    <rect x="11.5" y="11.5" width="5" height="5" rx="1.6" />
  </>,
)
export const CodeIcon = drawn(
  <>
    <rect x="3.5" y="3.5" width="5" height="5" rx="1.6" />
    <rect x="11.5" y="3.5" width="5" height="5" rx="1.6" />
    <rect x="3.5" y="11.5" width="5" height="5" rx="1.6" />
    <path d="M11.75 11.75v.01M16.25 11.75v.01M14 14v.01M11.75 16.25v.01M16.25 16.25v.01" />
  </>,
)
export const CautionIcon = drawn(
  <>
    <path d="M8.6 4.1 2.9 13.8a1.6 1.6 0 0 0 1.4 2.45h11.4a1.6 1.6 0 0 0 1.4-2.45L11.4 4.1a1.62 1.62 0 0 0-2.8 0Z" />
    <path d="M10 8v3M10 13.6v.01" />
  </>,
)
export const CertifiedIcon = drawn(
  <>
    <path d="m10 2.6 2 1.5 2.5-.1.7 2.4 2 1.5-.9 2.3.9 2.3-2 1.5-.7 2.4-2.5-.1-2 1.5-2-1.5-2.5.1-.7-2.4-2-1.5.9-2.3-.9-2.3 2-1.5.7-2.4 2.5.1Z" />
    <path d="m7.6 10.3 1.7 1.7 3.1-3.4" />
  </>,
)
