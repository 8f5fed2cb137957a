import { counted } from './counted.js'
import type { Messages } from './messages.js'

/**
 * Keeps what is inserted from turning the words around it, as a `<bdi>` does (first strong isolate). Only for messages
 * that are shown as they are: where names are made visible, it would be shown as a mark.
 */
const apart = (text: string) => `\u2068${text}\u2069`

/**
 * The words in Arabic, with numbers as they are written in the region of `locale`, any tag that begins with `ar`. Zero
 * takes the form of hundreds, and one and two are told by the word alone. New words each time: make them outside of what
 * renders.
 */
export function arabicFor(locale: string): Messages {
  const count = counted(locale)
  const number = count({ other: '#' })
  const kilobytes = count({ other: 'حُذفت كتلة حجمها # كيلوبايت' })
  const characters = count({
    one: 'حرف آخر',
    two: 'حرفان آخران',
    few: '# أحرف أخرى',
    many: '# حرفًا آخر',
    other: '# حرف آخر',
  })

  return {
    toolCall: 'استدعاء أداة',
    status: {
      pending: 'قيد الانتظار',
      waiting: 'بانتظار ردك',
      running: 'قيد التنفيذ',
      done: 'مكتمل',
      error: 'فشل',
      aborted: 'أُوقف',
      denied: 'مرفوض',
      unknown: 'غير معروف',
    },
    calling: 'جارٍ الاستدعاء…',
    loadingArguments: 'جارٍ تحميل الوسائط…',
    titleRunning: {
      command: (argument) => `جارٍ تشغيل ${argument}`,
      query: (argument) => `جارٍ البحث عن ${argument}`,
      url: (argument) => `جارٍ فتح ${argument}`,
    },
    titleEnded: {
      command: (argument) => `شُغّل ${argument}`,
      query: (argument) => `جرى البحث عن ${argument}`,
      url: (argument) => `فُتح ${argument}`,
    },
    modeLive: 'مباشر',
    modeReplay: 'تسجيل',

    outcome: {
      done: 'القيمة النهائية',
      error: 'فشل',
      aborted: 'أُوقف',
      denied: 'مرفوض',
      unknown: 'النتيجة غير معروفة',
    },
    endedWithoutResult: 'انتهى دون نتيجة',
    outcomeUnknownHint: 'لا يُعرف كيف انتهى.',
    unknownCause: {
      connection_closed: 'أُغلق الاتصال قبل وصول نتيجة.',
      session_ended: 'انتهت الجلسة قبل وصول نتيجة.',
      resume_refused: 'انقطع الاتصال، ولم يعد بالإمكان استعادة ما فات.',
    },
    noValue: 'لم تُعطَ أي قيمة',
    emptyText: '(نص فارغ)',
    callerRecorded: 'سجّلت الجهة المستدعية:',

    arguments: 'الوسائط',
    argumentsCutOff: 'تنقطع الوسائط هنا',
    argumentsBroken: count({ other: 'ليس JSON ابتداءً من الحرف رقم #، لذا يُعرض كما ورد' }),
    masked: 'مخفي',
    process: (position) => (position === undefined ? 'العملية' : `العملية ${number(position)}`),
    processEnded: (position) => (position === undefined ? 'انتهت العملية' : `انتهت العملية ${number(position)}`),
    blocks: count({ one: 'كتلة واحدة', two: 'كتلتان', few: '# كتل', other: '# كتلة' }),
    noEndReported: 'لم يُبلَّغ عن النهاية',
    droppedBlocks: count({
      one: 'حُذفت كتلة سابقة واحدة',
      two: 'حُذفت كتلتان سابقتان',
      few: 'حُذفت # كتل سابقة',
      other: 'حُذفت # كتلة سابقة',
    }),
    numberingSkips: count({
      one: 'يتخطى الترقيم رقمًا واحدًا',
      two: 'يتخطى الترقيم رقمين',
      few: 'يتخطى الترقيم # أرقام',
      many: 'يتخطى الترقيم # رقمًا',
      other: 'يتخطى الترقيم # رقم',
    }),
    interruption: (lost, back) =>
      back === undefined
        ? `انقطع الاتصال منذ ${lost}، وقد تكون بعض الكتل مفقودة`
        : `انقطع الاتصال من ${lost} إلى ${back}، وقد تكون بعض الكتل مفقودة`,
    newerMessages: count({
      one: 'رسالة واحدة من إصدار أحدث',
      two: 'رسالتان من إصدار أحدث',
      few: '# رسائل من إصدار أحدث',
      other: '# رسالة من إصدار أحدث',
    }),
    waiting: 'بانتظار أول كتلة…',
    noDetails: 'لا توجد تفاصيل للعملية',
    nothingKnown: 'لا يُعرف شيء عن هذا الاستدعاء بعد',
    noLongerKept: 'لم يعد هذا الاستدعاء محفوظًا',

    thinking: 'جارٍ التفكير…',
    thought: 'التفكير',
    thoughtFor: (duration) => `استغرق التفكير ${duration}`,
    errorLine: 'خطأ',
    blockLeftOut: (size) => kilobytes(Math.ceil(size / 1024)),
    unnamedTool: 'أداة',

    outputOf: (tool) => (tool === undefined ? 'المخرجات' : `مخرجات ${tool}`),
    lines: count({ one: 'سطر واحد', two: 'سطران', few: '# أسطر', many: '# سطرًا', other: '# سطر' }),
    newLines: count({
      one: 'سطر جديد واحد',
      two: 'سطران جديدان',
      few: '# أسطر جديدة',
      many: '# سطرًا جديدًا',
      other: '# سطر جديد',
    }),
    droppedLines: count({
      one: 'حُذف سطر سابق واحد',
      two: 'حُذف سطران سابقان',
      few: 'حُذفت # أسطر سابقة',
      many: 'حُذف # سطرًا سابقًا',
      other: 'حُذف # سطر سابق',
    }),
    // Stands in a line of output, which always runs from left to right.
    moreCharacters: (length) => apart(characters(length)),
    fullScreenOutput: count({
      one: 'رسم برنامج بملء الشاشة حرفًا واحدًا لا يُعرض هنا',
      two: 'رسم برنامج بملء الشاشة حرفين لا يُعرضان هنا',
      few: 'رسم برنامج بملء الشاشة # أحرف لا تُعرض هنا',
      many: 'رسم برنامج بملء الشاشة # حرفًا لا تُعرض هنا',
      other: 'رسم برنامج بملء الشاشة # حرف لا تُعرض هنا',
    }),
    refusedChunks: count({
      one: 'وصل جزء واحد من المخرجات متأخرًا فلم يُعرض',
      two: 'وصل جزآن من المخرجات متأخرين فلم يُعرضا',
      few: 'وصلت # أجزاء من المخرجات متأخرة فلم تُعرض',
      many: 'وصل # جزءًا من المخرجات متأخرًا فلم تُعرض',
      other: 'وصل # جزء من المخرجات متأخرًا فلم تُعرض',
    }),
    search: 'بحث',
    searchFor: 'البحث في المخرجات',
    wrap: 'التفاف الأسطر',
    save: 'حفظ',
    previousMatch: 'التطابق السابق',
    nextMatch: 'التطابق التالي',
    closeSearch: 'إغلاق البحث',
    caseSensitive: 'مطابقة حالة الأحرف',
    regularExpression: 'تعبير نمطي',
    invalidExpression: 'ليس تعبيرًا نمطيًا صالحًا',
    matches: (current, found, isCapped) =>
      found === 0
        ? 'لا توجد تطابقات'
        : `${current > 0 ? number(current) : '–'} من ${number(found)}${isCapped ? '+' : ''}`,

    copy: 'نسخ',
    copyOf: (what) => `نسخ: ${what}`,
    copied: 'تم النسخ',
    copyFailed: 'تعذّر النسخ',
    showAllLines: count({
      one: 'عرض الكل (سطر واحد)',
      two: 'عرض الكل (سطران)',
      few: 'عرض الكل (# أسطر)',
      many: 'عرض الكل (# سطرًا)',
      other: 'عرض الكل (# سطر)',
    }),
    showAllCharacters: count({
      one: 'عرض الكل (حرف واحد)',
      two: 'عرض الكل (حرفان)',
      few: 'عرض الكل (# أحرف)',
      many: 'عرض الكل (# حرفًا)',
      other: 'عرض الكل (# حرف)',
    }),
    showMore: count({ other: 'عرض المزيد (#)' }),
    showEarlier: count({ other: 'عرض السابق (#)' }),
    showLess: 'عرض أقل',
    entries: count({ one: 'عنصر واحد', two: 'عنصران', few: '# عناصر', many: '# عنصرًا', other: '# عنصر' }),

    wantsToRun: (tool, agent, server) =>
      `${agent === undefined ? 'يريد الوكيل' : `يريد الوكيل الفرعي ${agent}`} تشغيل ${tool}${
        server === undefined ? '' : ` عبر ${server}`
      }.`,
    changesData: 'يغيّر البيانات',
    argumentsDiffer: 'هذه الوسائط ليست التي عرضها الاستدعاء',
    argumentsPending: 'لا تزال الوسائط تصل',
    allow: {
      any: 'سماح',
      once: 'السماح مرة واحدة',
      session: 'السماح في هذه الجلسة',
      always: 'السماح دائمًا',
      other: (scope) => `السماح: ${apart(scope)}`,
    },
    deny: 'رفض',
    addReason: 'إضافة سبب',
    reasonForDenying: 'سبب الرفض',
    allowed: {
      any: 'مسموح',
      once: 'مسموح مرة واحدة',
      session: 'مسموح في هذه الجلسة',
      always: 'مسموح دائمًا',
      other: (scope) => `مسموح: ${apart(scope)}`,
    },
    answerSending: 'جارٍ الإرسال…',
    answerSent: 'أُرسل، بانتظار التأكيد',
    answerFailed: 'لم يُرسل ردك',
    answerUnconfirmed: 'لا يُعرف ما إذا وصل ردك',
    answeredElsewhere: 'تم الرد من مكان آخر',
    answersConflict: 'وردت إجابتان مختلفتان',
    requestWithdrawn: 'سُحب الطلب، ولم يعد الرد مطلوبًا',
    requestExpired: 'انتهت المهلة دون رد',
    expiresIn: (time) => `تنتهي المهلة خلال ${time}`,
    requests: 'الطلبات',
    position: (position, total) => `${number(position)} من ${number(total)}`,
    previousRequest: 'الطلب السابق',
    nextRequest: 'الطلب التالي',
    showRequest: 'عرض الطلب',
    showCall: 'عرض الاستدعاء',
    dismiss: 'إغلاق التنبيه',

    timeLeft: (time) => `الوقت المتبقي ${time}`,
    overdue: (time) => `متأخر ${time}`,

    exitCode: (code) => `رمز الخروج ${apart(code)}`,
    endedBySignal: (signal) => `أُنهي بالإشارة ${apart(signal)}`,

    subAgent: 'الوكيل الفرعي',
    subAgentCalls: 'استدعاءات الوكلاء الفرعيين',
    calls: count({
      one: 'استدعاء واحد',
      two: 'استدعاءان',
      few: '# استدعاءات',
      many: '# استدعاءً',
      other: '# استدعاء',
    }),
    callsByStatus: {
      pending: count({ other: '# قيد الانتظار' }),
      waiting: count({ other: '# بانتظار ردك' }),
      running: count({ other: '# قيد التنفيذ' }),
      done: count({ one: '# مكتمل', two: '# مكتملان', other: '# مكتملة' }),
      error: count({ one: '# فاشل', two: '# فاشلان', other: '# فاشلة' }),
      aborted: count({ one: '# موقوف', two: '# موقوفان', other: '# موقوفة' }),
      denied: count({ one: '# مرفوض', two: '# مرفوضان', other: '# مرفوضة' }),
      unknown: count({ other: '# بنتيجة غير معروفة' }),
    },

    needsYou: (name) => `${name}: بحاجة إلى قرارك`,

    run: {
      planReady: 'الخطة جاهزة',
      approval: 'الموافقة',
      commit: 'اعتماد التغييرات',
      step: 'خطوة',
      state: {
        pending: 'لم تبدأ',
        running: 'جارية',
        waiting: 'تنتظر ردك',
        blocked: 'متوقفة',
        done: 'مكتملة',
        failed: 'فشلت',
        unreported: 'لم يُبلَّغ عن نهايتها',
      },
      stages: {
        retrieving: 'الاسترجاع',
        reranking: 'إعادة الترتيب',
        waiting_provider: 'بانتظار المزوّد',
        reconciling: 'المطابقة',
      },
      inProgress: 'جارٍ التنفيذ',
      count: (done, total) => `${number(done)} من ${number(total)}`,
      onlyReads: 'للقراءة فقط',
      effectUnknown: 'لا يُعرف هل يغيّر البيانات',
      now: 'الآن:',
      confirmed: 'المؤكَّد:',
      next: 'التالي:',
      nothingConfirmed: 'لا شيء بعد',
      moreSteps: count({
        one: 'وخطوة أخرى',
        two: 'وخطوتان أخريان',
        few: 'و# خطوات أخرى',
        other: 'و# خطوة أخرى',
      }),
      sampled: 'تُعرض عيّنات من التقدم',
      paused: 'متوقف مؤقتًا',
      quiet: (duration) => `لا جديد منذ ${duration}`,
      droppedSteps: count({
        one: 'حُذف حدث سابق واحد',
        two: 'حُذف حدثان سابقان',
        few: 'حُذفت # أحداث سابقة',
        many: 'حُذف # حدثًا سابقًا',
        other: 'حُذف # حدث سابق',
      }),
      files: 'الملفات',
      sources: 'المصادر',
      sha256: 'بصمة SHA-256',
      download: 'تنزيل',
      preview: 'معاينة',
      closePreview: 'إغلاق المعاينة',
      noDownload: 'يتعذّر التنزيل الآن',
      noPreview: 'يتعذّر العرض الآن',
      receipt: { receipt: 'إيصال', confirmation: 'تأكيد', draft: 'مسودة', artifact: 'ملف' },
      noReceipt: 'لم يُقدَّم إيصال',
      mayHaveHappened: 'ربما نُفّذ وربما لم يُنفّذ: تحقق قبل إعادة المحاولة.',
      unknownSince: (time) => `غير معروف منذ ${time}`,
      checkAgain: 'التحقق مجددًا',
      checking: 'جارٍ التحقق…',
      checkFailed: 'تعذّر التحقق',
      firstEvent: 'أول حدث',
      firstResult: 'أول نتيجة',
      ended: 'النهاية',
      disconnects: count({
        one: 'انقطاع واحد',
        two: 'انقطاعان',
        few: '# انقطاعات',
        many: '# انقطاعًا',
        other: '# انقطاع',
      }),
      resumes: count({
        one: 'استئناف واحد',
        two: 'استئنافان',
        few: '# استئنافات',
        many: '# استئنافًا',
        other: '# استئناف',
      }),
    },

    replay: {
      controls: 'إعادة العرض',
      play: 'تشغيل',
      pause: 'إيقاف مؤقت',
      stepBack: 'خطوة إلى الوراء',
      stepOn: 'خطوة إلى الأمام',
      moment: 'موضع التسجيل',
      momentOf: (time, duration) => `${time} من ${duration}`,
      speed: 'السرعة',
      times: (factor) => `${number(factor)}×`,
      immediate: 'دون انتظار',
      empty: 'هذا التسجيل فارغ',
      newerVersion: 'التسجيل من إصدار أحدث: قد لا يُعرض بعضه',
      cutOff: 'ينقطع التسجيل هنا',
      unreadableLines: count({
        one: 'تعذّرت قراءة سطر واحد من التسجيل كاملًا',
        two: 'تعذّرت قراءة سطرين من التسجيل كاملين',
        few: 'تعذّرت قراءة # أسطر من التسجيل كاملة',
        many: 'تعذّرت قراءة # سطرًا من التسجيل كاملة',
        other: 'تعذّرت قراءة # سطر من التسجيل كاملة',
      }),
    },

    started: (name) => `${name}: بدأ`,
    ended: (name, outcome) => `${name}: ${outcome}`,

    seconds: (seconds) => `${seconds} ث`,
    minutesSeconds: (minutes, seconds) => `${minutes} د ${seconds} ث`,
    hoursMinutes: (hours, minutes) => `${hours} س ${minutes} د`,
  }
}

/** The words in Arabic, to be read from right to left: set `dir="rtl"` on an element around the components. */
export const ar = arabicFor('ar')
