import assert from 'node:assert/strict';
import { applicantBasic } from '../../src/contract/basics.ts';

/** Prompts that as a whole ask for what every application collects (decision 11), by what they ask for. */
const ASKING: Readonly<Record<string, readonly string[]>> = {
  'first name': [
    'First name',
    'First Name *',
    'FIRST NAME:',
    'first-name',
    'Given name(s)',
    'Legal first name',
    'What is your first name?',
    "What's your first name?",
    'What’s your first name?',
    'Please enter your first name.',
    "Candidate's first name",
  ],
  'last name': [
    'Last name',
    'Surname',
    'Family name',
    'Please state your surname',
    'What is your last name (as it appears on your licence)?',
    'Last name (required)',
  ],
  name: [
    'Name',
    'Full name',
    'Full legal name',
    'Your name, please',
    'What is your name?',
    'What is your full name?',
    'First and last name',
    'First & last names',
    'Name of applicant',
    'Name (first and last)',
    'Tell us your name!',
    "Applicant's name",
    'May I have your name?',
    'Kindly provide your full name below',
  ],
  email: [
    'Email',
    'E-mail',
    'E\u2011mail address',
    'Ｅｍａｉｌ',
    'em\u00ADail',
    '1. Email address',
    'Q3: Email address',
    'Contact email',
    'Personal e-mail address',
    'What is your email address?',
    'What is your email address please?',
    'Please provide your email address.',
    'Can we have your email?',
    'Could you share your email with us?',
    "What's the best email to reach you?",
    'What is the best email address to contact you at?',
    'Which email address can we reach you at?',
    'Please confirm your email address',
  ],
  phone: [
    'Phone',
    'Phone number',
    'Phone #',
    'Tel.',
    'Telephone number',
    'Cell',
    'Cell phone number',
    'Cellphone',
    'Mobile no.',
    'Daytime phone',
    'Contact number',
    'Phone number (with country code)',
    'What is your phone number?',
    'What is a good phone number to reach you on?',
    'Best number to reach you',
    'What number can we call you on?',
    'Please type your mobile phone number, including area code',
  ],
  location: [
    'Location',
    'Current location',
    'Location (city, state)',
    'City',
    'City and state',
    'City / State / ZIP',
    'City of residence',
    'Address',
    'Home address',
    'Street address, city and postcode',
    'Full mailing address',
    'What is your address?',
    'What is your current location?',
    'Where do you live?',
    'Please tell us where you live',
    'Where do you currently live?',
    'Where are you located?',
    'Where are you currently based?',
    'What city do you live in?',
    'In which city do you live?',
    'What town are you based in?',
    'Which city are you located in currently?',
  ],
  resume: [
    'Resume',
    'Résumé',
    'CV',
    'C.V.',
    'Curriculum vitae',
    'Resume/CV',
    'CV or resume',
    'Resume (PDF)',
    'CV (Word or PDF)',
    'Please upload your resume',
    'Attach your CV here',
    'Upload a copy of your CV',
    'Please attach your most recent resume as a PDF',
    'Please submit an up-to-date CV',
    'Can you send us your CV?',
    'Link to your resume',
  ],
  'first name and last name': ['First name and last name', 'Given name / family name'],
  'name and email': ['Name and email', 'What is your name and your email address?', 'Full name, e-mail'],
  'name, email and phone': ['Name, email and phone number', 'Your full name, email & mobile'],
};

/** Prompts that only mention a basic, or ask for somebody else's. */
const MENTIONING: readonly string[] = [
  // Names.
  'Name three programming languages you have shipped with',
  'What is the name of your current employer?',
  'Name of your nursing school',
  'Name (of your current employer)',
  'Company name',
  'Name of a reference',
  'Emergency contact name',
  "Manager's name",
  'User name on GitHub',
  'Which names of drug interactions would you check first?',
  'What is your preferred name and how do we pronounce it?',
  'What are your pronouns?',
  'Who are you as a teacher?',
  'What is your first language?',
  'What is your last working day?',
  'Do you hold a first aid certificate in your name?',
  'Have you worked under another name?',
  // Email.
  'Describe your email marketing experience',
  'Email marketing experience (years)',
  'Email (marketing) experience',
  'Which email tools have you administered?',
  'How would you answer an angry email?',
  'Do you agree to be contacted by email?',
  'How many emails do you answer on a usual day?',
  "Your referee's email address",
  'What email client do you support?',
  // Phone.
  'How many years of phone support have you done?',
  'Are you comfortable selling by phone?',
  'Do you own a smartphone for the scheduling app?',
  'Emergency contact phone number',
  'Phone number (emergency contact)',
  'When are you free for a phone screen?',
  'Which phone systems have you used?',
  'May we call you on a weekday evening?',
  'What number of direct reports have you had?',
  'Number',
  'License number',
  'What is your RN license number?',
  'Years on the phones',
  // Location.
  'Which of our locations would you like to work at?',
  'Preferred location',
  'Preferred work location',
  'Preferred city',
  'Which cities have you worked in?',
  'Are you willing to relocate to Austin?',
  'Do you live within 30 miles of Denver?',
  'Are you located in Texas?',
  'How far do you live from the store?',
  'Can you commute to this location three days a week?',
  'Where did you train?',
  'Where do you see yourself in five years?',
  'Where are you licensed to practise?',
  'Where are you in your studies?',
  'Location of your last site',
  'How would you address a complaint about cold food?',
  'What is an IP address, in your words?',
  'Address three risks in this design',
  'Which city has the best food, and why?',
  'In which country are you authorised to work?',
  'State',
  'Country',
  // Resume.
  'Which role on your resume are you proudest of?',
  'Explain any gap in your CV',
  'Resume gap',
  'Resume and LinkedIn profile, or a portfolio',
  'How do you screen a resume?',
  'When could you resume work after your leave?',
  'Cover letter',
  'Resume and cover letter',
  'Please upload a copy of your license',
  'Link to your portfolio',
  // Nothing at all.
  'Please describe',
  'and',
  'Please',
  '?',
  '',
  '自己紹介をお願いします',
];

describe('a prompt that asks for an applicant basic is told by which', () => {
  for (const [basic, prompts] of Object.entries(ASKING)) {
    for (const prompt of prompts) {
      it(`“${prompt}” asks for ${basic}`, () => {
        assert.equal(applicantBasic(prompt), basic);
      });
    }
  }
});

describe('a prompt that only mentions an applicant basic passes', () => {
  for (const prompt of MENTIONING) {
    it(`“${prompt}”`, () => {
      assert.equal(applicantBasic(prompt), undefined);
    });
  }
});

describe('the check of a prompt', () => {
  it('answers at once for a mebibyte of anything', () => {
    const startedAt = performance.now();
    for (const word of [
      'please your ',
      'home ',
      'and ',
      'what is ',
      '(as ',
      '[',
      ' ',
      'number to ',
      'ﷺ',
      'e',
    ]) {
      assert.equal(applicantBasic(word.repeat(2 ** 20 / word.length)), undefined);
    }
    assert.ok(performance.now() - startedAt < 1_000);
  });

  it('is not fooled by padding', () => {
    assert.equal(applicantBasic(`${' '.repeat(5_000)}Email${'\n'.repeat(5_000)}`), 'email');
  });
});
