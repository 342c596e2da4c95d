/**
 * Titles are the specification's; texts about a wrong configuration are for developers, in English.
 * The script tag has no other languages: they would come from the host that the alert reports as missing.
 */
import { inLanguage } from '../../elements/language'
import type { State } from '../../state/state'

type Texts = readonly [loadFailed: string, oldBrowser: string, tryAgain: string, dismiss: string]

/** A test compares these with the alert. */
export const english: Texts = [
  'Couldn’t load the wallet. Check your connection, and whether the page’s policy, a script or an extension blocks {host}.',
  'This browser is too old. Update it, or use Chrome 111, Firefox 121, Safari 16.4 or newer.',
  'Try again',
  'Dismiss',
]

export const translations: Readonly<Record<string, Texts>> = {
  ar: [
    'تعذّر تحميل المحفظة. تحقّق من اتصالك، وممّا إذا كانت سياسة الصفحة أو برنامج نصي أو إضافة تحظر {host}.',
    'هذا المتصفح قديم جدًا. حدّثه، أو استخدم Chrome 111 أو Firefox 121 أو Safari 16.4 أو أحدث.',
    'إعادة المحاولة',
    'إخفاء',
  ],
  bn: [
    'ওয়ালেট লোড করা যায়নি। আপনার সংযোগ দেখুন, আর পেজের নীতি, কোনো স্ক্রিপ্ট বা এক্সটেনশন {host} ব্লক করছে কি না দেখুন।',
    'এই ব্রাউজারটি খুব পুরোনো। আপডেট করুন, অথবা Chrome 111, Firefox 121, Safari 16.4 বা নতুন সংস্করণ ব্যবহার করুন।',
    'আবার চেষ্টা করুন',
    'সরিয়ে দিন',
  ],
  de: [
    'Die Wallet konnte nicht geladen werden. Prüfen Sie Ihre Verbindung und ob die Richtlinie der Seite, ein Skript oder eine Erweiterung {host} blockiert.',
    'Dieser Browser ist zu alt. Aktualisieren Sie ihn oder verwenden Sie Chrome 111, Firefox 121, Safari 16.4 oder neuer.',
    'Erneut versuchen',
    'Ausblenden',
  ],
  es: [
    'No se pudo cargar la billetera. Comprueba tu conexión y si la política de la página, un script o una extensión bloquea {host}.',
    'Este navegador es demasiado antiguo. Actualízalo o usa Chrome 111, Firefox 121, Safari 16.4 o posterior.',
    'Reintentar',
    'Descartar',
  ],
  fr: [
    'Impossible de charger le portefeuille. Vérifiez votre connexion et si la politique de la page, un script ou une extension bloque {host}.',
    'Ce navigateur est trop ancien. Mettez-le à jour, ou utilisez Chrome 111, Firefox 121, Safari 16.4 ou plus récent.',
    'Réessayer',
    'Masquer',
  ],
  hi: [
    'वॉलेट लोड नहीं हो सका। अपना कनेक्शन जाँचें, और यह भी कि पेज की नीति, कोई स्क्रिप्ट या एक्सटेंशन {host} को तो नहीं रोक रहा।',
    'यह ब्राउज़र बहुत पुराना है। इसे अपडेट करें, या Chrome 111, Firefox 121, Safari 16.4 या नया संस्करण इस्तेमाल करें।',
    'फिर कोशिश करें',
    'हटाएँ',
  ],
  id: [
    'Dompet tidak dapat dimuat. Periksa koneksi Anda, dan apakah kebijakan halaman, skrip, atau ekstensi memblokir {host}.',
    'Peramban ini terlalu lama. Perbarui, atau gunakan Chrome 111, Firefox 121, Safari 16.4, atau yang lebih baru.',
    'Coba lagi',
    'Abaikan',
  ],
  it: [
    'Impossibile caricare il wallet. Controlla la connessione e se la policy della pagina, uno script o un’estensione blocca {host}.',
    'Questo browser è troppo vecchio. Aggiornalo, oppure usa Chrome 111, Firefox 121, Safari 16.4 o successivi.',
    'Riprova',
    'Ignora',
  ],
  ja: [
    'ウォレットを読み込めませんでした。接続を確認し、ページのポリシー、スクリプト、拡張機能が {host} をブロックしていないか確認してください。',
    'このブラウザは古すぎます。更新するか、Chrome 111、Firefox 121、Safari 16.4 以降を使ってください。',
    '再試行',
    '閉じる',
  ],
  ko: [
    '지갑을 불러오지 못했습니다. 연결을 확인하고, 페이지의 정책이나 스크립트, 확장 프로그램이 {host}을(를) 차단하는지 확인하세요.',
    '브라우저가 너무 오래되었습니다. 업데이트하거나 Chrome 111, Firefox 121, Safari 16.4 이상을 사용하세요.',
    '다시 시도',
    '닫기',
  ],
  nl: [
    'De wallet kon niet worden geladen. Controleer je verbinding, en of het beleid van de pagina, een script of een extensie {host} blokkeert.',
    'Deze browser is te oud. Werk hem bij, of gebruik Chrome 111, Firefox 121, Safari 16.4 of nieuwer.',
    'Probeer opnieuw',
    'Verbergen',
  ],
  pl: [
    'Nie udało się wczytać portfela. Sprawdź połączenie oraz czy {host} nie jest blokowany przez zasady strony, skrypt lub rozszerzenie.',
    'Ta przeglądarka jest za stara. Zaktualizuj ją albo użyj Chrome 111, Firefox 121, Safari 16.4 lub nowszej.',
    'Ponów próbę',
    'Ukryj',
  ],
  pt: [
    'Não foi possível carregar a carteira. Verifique sua conexão e se a política da página, um script ou uma extensão bloqueia {host}.',
    'Este navegador é muito antigo. Atualize-o ou use Chrome 111, Firefox 121, Safari 16.4 ou mais recente.',
    'Tentar novamente',
    'Dispensar',
  ],
  ru: [
    'Не удалось загрузить кошелёк. Проверьте соединение и не блокирует ли {host} политика страницы, скрипт или расширение.',
    'Этот браузер слишком старый. Обновите его или используйте Chrome 111, Firefox 121, Safari 16.4 или новее.',
    'Повторить',
    'Скрыть',
  ],
  th: [
    'โหลดวอลเล็ตไม่ได้ ตรวจสอบการเชื่อมต่อ และดูว่านโยบายของหน้า สคริปต์ หรือส่วนขยายบล็อก {host} อยู่หรือไม่',
    'เบราว์เซอร์นี้เก่าเกินไป อัปเดต หรือใช้ Chrome 111, Firefox 121, Safari 16.4 หรือใหม่กว่า',
    'ลองอีกครั้ง',
    'ปิดข้อความ',
  ],
  tr: [
    'Cüzdan yüklenemedi. Bağlantınızı ve sayfanın politikasının, bir betiğin ya da bir eklentinin {host} adresini engelleyip engellemediğini kontrol edin.',
    'Bu tarayıcı çok eski. Güncelleyin ya da Chrome 111, Firefox 121, Safari 16.4 veya daha yenisini kullanın.',
    'Tekrar dene',
    'Gizle',
  ],
  uk: [
    'Не вдалося завантажити гаманець. Перевірте з’єднання та чи не блокує {host} політика сторінки, скрипт або розширення.',
    'Цей браузер застарий. Оновіть його або скористайтеся Chrome 111, Firefox 121, Safari 16.4 чи новішим.',
    'Повторити',
    'Сховати',
  ],
  vi: [
    'Không tải được ví. Hãy kiểm tra kết nối, và xem chính sách của trang, một tập lệnh hay tiện ích có chặn {host} không.',
    'Trình duyệt này quá cũ. Hãy cập nhật, hoặc dùng Chrome 111, Firefox 121, Safari 16.4 trở lên.',
    'Thử lại',
    'Bỏ qua',
  ],
  'zh-Hans': [
    '无法加载钱包。请检查网络连接，以及页面的策略、脚本或扩展是否拦截了 {host}。',
    '此浏览器版本过旧。请更新，或使用 Chrome 111、Firefox 121、Safari 16.4 或更新版本。',
    '重试',
    '关闭',
  ],
  'zh-Hant': [
    '無法載入錢包。請檢查網路連線，以及頁面的政策、指令碼或擴充功能是否封鎖了 {host}。',
    '此瀏覽器版本過舊。請更新，或使用 Chrome 111、Firefox 121、Safari 16.4 或更新版本。',
    '再試一次',
    '關閉',
  ],
}

/**
 * @param text The paragraph's, with the placeholders.
 * @param state Default locale: the page's language, else the browser's.
 */
export function translateAlert(
  alert: HTMLElement,
  text: string,
  values: Readonly<Record<string, string>>,
  state: Pick<State, 'get'>,
): void {
  const language = state.get().locale ?? (alert.ownerDocument.documentElement.lang || navigator.language)
  const texts = inLanguage(translations, language)
  if (texts === undefined) return
  for (const element of alert.querySelectorAll<HTMLElement>('p,button')) {
    const currentText = element.localName === 'p' ? text : element.textContent
    const translated = texts[english.indexOf(currentText)]
    if (translated === undefined) continue
    element.textContent = translated.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
    element.lang = language
    element.dir = 'auto'
  }
}
