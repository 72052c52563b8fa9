from django.apps import AppConfig


class FeedbackAppConfig(AppConfig):
    name = "feedback"
