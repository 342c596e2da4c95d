import { drawn } from '@postern/ui/icons'

export const NameIcon = drawn(
  <>
    <rect x="3.25" y="5" width="13.5" height="11" rx="2.75" />
    <path d="M8 5V3.5h4V5M6.5 12.75c.3-1.2 1.1-1.8 2-1.8s1.7.6 2 1.8M13 9.5h.75M13 12.25h.75" />
    <circle cx="8.5" cy="9" r="1.1" />
  </>,
)
