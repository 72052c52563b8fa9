from django.apps import AppConfig


class AnswersAppConfig(AppConfig):
    name = "answers"
